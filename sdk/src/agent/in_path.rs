//! Programs in PATH.

use std::env;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The first program of this name in PATH, by its absolute path.
pub(crate) fn in_path(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    folders(path).map(|folder| folder.join(name)).find(|found| is_program(found))
}

/// The absolute folders of PATH. A relative one would depend on the working folder, so it is
/// ignored.
pub(crate) fn folders(path: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    path.into_iter().flat_map(env::split_paths).filter(|folder| folder.is_absolute())
}

pub(crate) fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| is_executable(&metadata))
}

pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}
