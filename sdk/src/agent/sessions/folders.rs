//! What is in a folder, always in the same order.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::agent::user::User;

/// A longer file beside a transcript is none of the CLI's.
const LONGEST: u64 = 4096;

/// The folders in a folder; links to folders count.
pub(super) fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    all_in(folder).map(|all| all.into_iter().filter(|path| path.is_dir()).collect())
}

/// The transcripts of sessions in a folder, each with its session's id.
pub(super) fn transcripts(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let all = all_in(folder)?.into_iter().filter_map(|path| {
        let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        crate::agent::uuid::is_uuid(id).then(|| (id.to_owned(), path.clone()))
    });
    Ok(all.collect())
}

/// The files in a folder and all folders in it whose names end with `.jsonl`.
pub(super) fn below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in all_in(folder).unwrap_or_default() {
        // A link may lead back to where it is.
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => files.extend(below(&path)),
            Ok(_) if path.is_file() && path.extension().is_some_and(|end| end == "jsonl") => {
                files.push(path);
            }
            _ => {}
        }
    }
    files
}

/// Opens a file to read it, if this user could; `None` is the one of this program. A pipe of its
/// name is an error: nobody may ever write into it.
pub(crate) fn open(path: &Path, user: Option<User>) -> io::Result<File> {
    if let Some(user) = user {
        return user.open(path);
    }
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no regular file")),
    }
}

/// What is in a short file of the CLI's beside a transcript.
pub(super) fn beside(transcript: &Path, name: &str) -> Option<Vec<u8>> {
    let (mut text, file) =
        (Vec::new(), open(&transcript.with_extension("").join(name), None).ok()?);
    file.take(LONGEST + 1).read_to_end(&mut text).ok()?;
    (text.len() as u64 <= LONGEST).then_some(text)
}

fn all_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    Ok(paths)
}
