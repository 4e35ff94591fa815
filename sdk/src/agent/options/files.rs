//! Temporary files for values that cannot be arguments.

use std::fs::{OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

use tempfile::TempDir;

use super::arg::File;

/// The files of one run, in a folder that only this user can enter. Dropping it deletes them.
#[derive(Debug, Default)]
pub(crate) struct Files {
    folder: Option<TempDir>,
}

impl Files {
    /// Writes a file and returns its absolute path. The first file creates the folder.
    pub(super) fn write(&mut self, file: &File) -> io::Result<PathBuf> {
        let folder = match &self.folder {
            Some(folder) => folder,
            None => self.folder.insert(
                tempfile::Builder::new()
                    .prefix("toolwright-agent-")
                    .permissions(Permissions::from_mode(0o700))
                    .tempdir()?,
            ),
        };
        let path = folder.path().join(file.name);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?
            .write_all(file.contents.as_bytes())?;
        Ok(path)
    }
}
