use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// A temporary folder for what the program keeps of a user, deleted on drop.
#[derive(Debug)]
pub(super) struct Home {
    folder: PathBuf,
}

impl Home {
    pub(super) fn create() -> io::Result<Self> {
        let home = Self { folder: fresh_folder()? };
        fs::create_dir(home.user())?;
        fs::create_dir(home.config())?;
        Ok(home)
    }

    pub(super) fn user(&self) -> PathBuf {
        self.folder.join("home")
    }

    pub(super) fn config(&self) -> PathBuf {
        self.folder.join("config")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // A program that still runs may be writing here; a rest in the temporary folder is no
        // failure.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn fresh_folder() -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("toolwright-model-{}-{count}", process::id()));
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            // An earlier process with the same id can have left one behind.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
