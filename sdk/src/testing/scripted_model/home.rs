//! The temporary home folder of the program that talks to the model.

use std::fs;
use std::io;
use std::path::PathBuf;

use tempfile::TempDir;

/// A temporary folder for the program's home and configuration, deleted on drop.
#[derive(Debug)]
pub(super) struct Home(TempDir);

impl Home {
    pub(super) fn create() -> io::Result<Self> {
        let home = Self(TempDir::with_prefix("toolwright-model-")?);
        fs::create_dir(home.user())?;
        fs::create_dir(home.config())?;
        Ok(home)
    }

    pub(super) fn user(&self) -> PathBuf {
        self.0.path().join("home")
    }

    pub(super) fn config(&self) -> PathBuf {
        self.0.path().join("config")
    }
}
