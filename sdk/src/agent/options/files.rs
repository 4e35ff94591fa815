//! Files for what is no argument.

use std::fs::{DirBuilder, OpenOptions, remove_dir_all};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, process};

use super::arg::File;

/// The files of one run, in a folder that only this user can enter. Dropping it deletes them.
#[derive(Debug, Default)]
pub(crate) struct Files {
    folder: Option<PathBuf>,
}

impl Files {
    /// Writes a file and gives its absolute path. The first one makes the folder.
    pub(super) fn write(&mut self, file: &File) -> io::Result<PathBuf> {
        let folder = match &self.folder {
            Some(folder) => folder,
            None => self.folder.insert(fresh_folder()?),
        };
        let path = folder.join(file.name);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?
            .write_all(file.contents.as_bytes())?;
        Ok(path)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // A rest in the temporary folder is private and no failure.
        self.folder.iter().for_each(|folder| drop(remove_dir_all(folder)));
    }
}

fn fresh_folder() -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let temporary = std::path::absolute(env::temp_dir())?;
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = temporary.join(format!("toolwright-agent-{}-{count}", process::id()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            // An earlier process with the same id can have left one behind, or somebody else has
            // put one there; neither is ours to use.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
