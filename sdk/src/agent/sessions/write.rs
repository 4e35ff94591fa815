//! Changes sessions in files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::Value;

use super::change;
use super::error::SessionError;
use super::files::{Found, Sessions};
use super::fork::Fork;
use super::forked::Forked;
use super::glance::Glance;
use super::transcript::FileLines;
use crate::agent::uuid;

impl Sessions {
    /// Gives a session a title, which wins over the one that the CLI generates. Spaces around it
    /// are removed.
    ///
    /// This and the other changes are safe while the CLI has the session open.
    ///
    /// # Errors
    ///
    /// There is no such session, or nothing but spaces is in the title.
    pub fn rename_session(&self, id: &str, title: &str) -> Result<(), SessionError> {
        self.append(id, &change::title(id, title)?)
    }

    /// Gives a session a tag, or with `None` takes it away. Characters that cannot be seen are
    /// removed from it.
    ///
    /// # Errors
    ///
    /// There is no such session, or nothing that can be seen is in the tag.
    pub fn tag_session(&self, id: &str, tag: Option<&str>) -> Result<(), SessionError> {
        self.append(id, &change::tag(id, tag)?)
    }

    /// Deletes a session and the transcripts of its subagents.
    ///
    /// # Errors
    ///
    /// There is no such session, or it cannot be deleted.
    pub fn delete_session(&self, id: &str) -> Result<(), SessionError> {
        let Found { path, .. } = self.transcript(id)?;
        let folder = path.with_extension("");
        // First, as without the transcript nobody could delete it.
        match fs::remove_dir_all(&folder) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(SessionError::Io { path: folder, source });
            }
            _ => {}
        }
        fs::remove_file(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => SessionError::NotFound { id: id.to_owned() },
            _ => SessionError::Io { path, source },
        })
    }

    /// Copies a session into a new one, which goes on independently, and returns its id.
    ///
    /// The copies of messages have new ids. [`Fork`] tells where the copy ends and what its title
    /// is. Subagents are not copied, nor is what the CLI could undo.
    ///
    /// ```no_run
    /// # use toolwright::agent::sessions::{Fork, SessionError, Sessions};
    /// # fn example(sessions: Sessions, id: &str, message: &str) -> Result<(), SessionError> {
    /// let copy = sessions.fork_session(id, Fork::whole())?;
    /// let from_here = sessions.fork_session(id, Fork::up_to(message).title("Another way"))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// There is no such session, it has no messages or not the one at which the copy shall end, or
    /// the copy cannot be written.
    pub fn fork_session(&self, id: &str, fork: Fork) -> Result<String, SessionError> {
        let Found { path, .. } = self.transcript(id)?;
        let failed = || SessionError::at(&path);
        let title = || Ok(Glance::read(&path).map_err(failed())?.and_then(|glance| glance.name()));
        let mut forked = Forked::new(id, fork);
        let mut file = File::open(&path).map_err(failed())?;
        let mut lines = FileLines::of(&file);
        while let Some(line) = lines.next().map_err(failed())? {
            forked.read(&line.text);
        }
        forked.plan()?;
        let end = forked.end(title)?;
        file.rewind().map_err(failed())?;
        let copy = path.with_file_name(format!("{}.jsonl", forked.id()));
        write_new(&copy, |out| {
            let mut lines = FileLines::of(&file);
            while let Some(line) = lines.next()? {
                if let Some(line) = forked.copy(&line.text) {
                    writeln!(out, "{line}")?;
                }
            }
            end.iter().try_for_each(|line| writeln!(out, "{line}"))
        })
        .map_err(SessionError::at(copy))?;
        Ok(forked.id().to_owned())
    }

    /// Adds a line to a transcript. One that was deleted is not made again: no file is created, and
    /// an empty one is none.
    fn append(&self, id: &str, entry: &Value) -> Result<(), SessionError> {
        let entry = line(entry);
        self.find(id, |path| match append_to(path, &entry) {
            Ok(()) => Ok(true),
            Err(error) if is_missing(&error) => Ok(false),
            Err(source) => Err(SessionError::Io { path: path.to_owned(), source }),
        })
        .map(drop)
    }
}

/// Writes a file that only this user can read. It has another name until it is whole.
pub(super) fn write_new(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let unfinished = path.with_extension(format!("{}.new", uuid::random()));
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    let mut out = BufWriter::new(&file);
    write(&mut out)
        .and_then(|()| out.flush())
        .and_then(|()| fs::rename(&unfinished, path))
        .inspect_err(|_| drop(fs::remove_file(&unfinished)))
}

fn append_to(path: &Path, line: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).open(path)?;
    if file.metadata()?.len() == 0 {
        return Err(io::ErrorKind::NotFound.into());
    }
    // A CLI that was killed may have left a line without its end.
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    let end: &[u8] = if last == *b"\n" { b"" } else { b"\n" };
    // At once, so that it cannot be mixed with a line of the CLI's.
    file.write_all(&[end, line].concat())
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn line(entry: &Value) -> Vec<u8> {
    format!("{entry}\n").into_bytes()
}
