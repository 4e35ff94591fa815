//! The temporary home folder of the program that talks to the model.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder for the program's home, configuration and temporary files, deleted on drop.
#[derive(Debug)]
pub(super) struct Home(TempDir);

impl Home {
    pub(super) fn create() -> io::Result<Self> {
        let home = Self(TempDir::with_prefix("toolwright-model-")?);
        fs::create_dir(home.user())?;
        fs::create_dir(home.config())?;
        Ok(home)
    }

    /// The folder itself, where the program puts its temporary files. The paths of its sockets are
    /// bounded, so it is no folder further down.
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn user(&self) -> PathBuf {
        self.0.path().join("home")
    }

    pub(super) fn config(&self) -> PathBuf {
        self.0.path().join("config")
    }
}
