//! Where the `claude` program is.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::agent::error::ConnectError;

const NAME: &str = "claude";
/// Where the installers put it, beside PATH; what does not begin with a slash is in the home
/// folder.
const USUAL: [&str; 6] = [
    ".npm-global/bin",
    "/usr/local/bin",
    ".local/bin",
    "node_modules/.bin",
    ".yarn/bin",
    ".claude/local",
];

/// What is to be started.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// The script that `path` runs, where it is an interpreter.
    pub(super) script: Option<PathBuf>,
}

/// Finds the program: the one that was named, or else the first one in `path` and then in the usual
/// places below `home`.
pub(super) fn find(
    named: Option<&Path>,
    path: Option<&OsStr>,
    home: Option<&Path>,
) -> Result<Program, ConnectError> {
    if let Some(named) = named {
        return check(named, path);
    }
    let usual = USUAL.iter().filter_map(|place| match place.starts_with('/') {
        true => Some(PathBuf::from(place)),
        false => Some(home?.join(place)),
    });
    let mut searched = Vec::new();
    for folder in folders(path).chain(usual) {
        let candidate = folder.join(NAME);
        if is_program(&candidate) {
            return Ok(Program { path: candidate, script: None });
        }
        if !searched.contains(&candidate) {
            searched.push(candidate);
        }
    }
    Err(ConnectError::CliNotFound { searched })
}

/// The program that was named, which must be one.
fn check(named: &Path, path: Option<&OsStr>) -> Result<Program, ConnectError> {
    // A relative path means the folder of this program, not the one that the CLI is started in.
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
        let node = folders(path).map(|folder| folder.join("node")).find(|node| is_program(node));
        let node = node.ok_or_else(|| {
            fail(ErrorKind::NotFound, "node, which has to run it, is not in PATH")
        })?;
        return Ok(Program { path: node, script: Some(named) });
    }
    match is_executable(&metadata) {
        true => Ok(Program { path: named, script: None }),
        false => Err(fail(ErrorKind::PermissionDenied, "it is not executable")),
    }
}

/// The folders of PATH. A relative one would mean another program in every working folder, so it
/// does not count.
fn folders(path: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    path.into_iter().flat_map(std::env::split_paths).filter(|folder| folder.is_absolute())
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| is_executable(&metadata))
}

fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}
