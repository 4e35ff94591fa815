//! The search for the `claude` program.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::agent::error::ConnectError;
use crate::agent::in_path::{folders, in_path, is_executable, is_program};

const NAME: &str = "claude";
/// The usual install locations. Relative ones are in the home folder.
const USUAL: [&str; 6] = [
    ".npm-global/bin",
    "/usr/local/bin",
    ".local/bin",
    "node_modules/.bin",
    ".yarn/bin",
    ".claude/local",
];

/// The program to start.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// The script that `path` runs, if `path` is an interpreter.
    pub(super) script: Option<PathBuf>,
}

/// Finds the program: `named` if it is given, in `path` if it has no slash; otherwise the first one
/// in `path` or, below `home`, in the usual locations.
pub(super) fn find(
    named: Option<&Path>,
    path: Option<&OsStr>,
    home: Option<&Path>,
) -> Result<Program, ConnectError> {
    if let Some(named) = named {
        return match is_bare(named) {
            true => check(&first_in(folders(path), named)?, path),
            false => check(named, path),
        };
    }
    // As with PATH, a relative folder would be in the working folder, where anybody may have put
    // it.
    let home = home.filter(|home| home.is_absolute());
    let usual = USUAL.iter().filter_map(|place| match place.starts_with('/') {
        true => Some(PathBuf::from(place)),
        false => Some(home?.join(place)),
    });
    let path = first_in(folders(path).chain(usual), Path::new(NAME))?;
    Ok(Program { path, script: None })
}

/// Whether a name has no slash, so that a shell would search it in PATH.
fn is_bare(named: &Path) -> bool {
    let bytes = named.as_os_str().as_encoded_bytes();
    !bytes.is_empty() && !bytes.contains(&b'/')
}

/// The first program of this name in the folders.
fn first_in(folders: impl Iterator<Item = PathBuf>, name: &Path) -> Result<PathBuf, ConnectError> {
    let mut searched = Vec::new();
    for candidate in folders.map(|folder| folder.join(name)) {
        if is_program(&candidate) {
            return Ok(candidate);
        }
        if !searched.contains(&candidate) {
            searched.push(candidate);
        }
    }
    // Without folders there is at least the name to say.
    if searched.is_empty() {
        searched.push(name.to_owned());
    }
    Err(ConnectError::CliNotFound { searched })
}

/// The named program, if it can be started.
fn check(named: &Path, path: Option<&OsStr>) -> Result<Program, ConnectError> {
    // A relative path is relative to this program's working folder, not to the CLI's.
    let named = std::path::absolute(named).unwrap_or_else(|_| named.to_owned());
    let fail = |kind, why: &str| ConnectError::Spawn {
        path: named.clone(),
        source: io::Error::new(kind, why),
    };
    let metadata = match named.metadata() {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(ConnectError::CliNotFound { searched: vec![named] });
        }
        Err(source) => return Err(ConnectError::Spawn { path: named, source }),
    };
    if metadata.is_dir() {
        return Err(fail(ErrorKind::IsADirectory, "it is a directory"));
    }
    if named.extension().is_some_and(|end| end == "js" || end == "mjs" || end == "cjs") {
        let node = in_path("node", path).ok_or_else(|| {
            fail(ErrorKind::NotFound, "node, which has to run it, is not in PATH")
        })?;
        return Ok(Program { path: node, script: Some(named) });
    }
    match is_executable(&metadata) {
        true => Ok(Program { path: named, script: None }),
        false => Err(fail(ErrorKind::PermissionDenied, "it is not executable")),
    }
}
