//! Temporary files for values that cannot be arguments.

use std::env;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, lchown};
use std::path::{self, Path, PathBuf};

use super::arg::File;
use crate::agent::transport::Watched;
use crate::agent::user::User;
use crate::agent::uuid;

/// The files of one run, in a folder that only this user can enter. Dropping it deletes them, and
/// so does the end of this program.
#[derive(Debug, Default)]
pub(crate) struct Files {
    folder: Option<Folder>,
}

#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    _watched: Watched,
}

impl Files {
    /// Writes a file and returns its absolute path. The first file creates the folder.
    pub(super) fn write(&mut self, file: &File) -> io::Result<PathBuf> {
        let folder = match &self.folder {
            Some(folder) => folder,
            None => self.folder.insert(Folder::create()?),
        };
        let path = folder.path.join(file.name);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?
            .write_all(file.contents.as_bytes())?;
        Ok(path)
    }

    /// Gives all files to the user that the CLI runs as. No file may be written after that.
    pub(super) fn give_to(&self, user: User) -> io::Result<()> {
        self.folder.iter().try_for_each(|folder| folder.give_to(user))
    }
}

impl Folder {
    /// A new folder, which is deleted when this is dropped or this program ends.
    pub(crate) fn create() -> io::Result<Self> {
        let name = format!("toolwright-agent-{}", uuid::random());
        let path = path::absolute(env::temp_dir())?.join(name);
        // Before there is anything to delete.
        let watched = Watched::folder(&path)?;
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path, _watched: watched })
    }

    #[cfg(feature = "sessions")]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the folder and all that is in it to the user that the CLI runs as. Before that nobody
    /// else can enter it, and the user could put links into it that lead elsewhere.
    pub(crate) fn give_to(&self, user: User) -> io::Result<()> {
        give_all(&self.path, user)?;
        lchown(&self.path, Some(user.uid), user.gid)
    }
}

/// Gives away what is in a folder, and nothing that a link in it leads to.
fn give_all(folder: &Path, user: User) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            give_all(&entry.path(), user)?;
        }
        lchown(entry.path(), Some(user.uid), user.gid)?;
    }
    Ok(())
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tracing::warn!(%error, path = %self.path.display(), "a temporary folder stays");
        }
    }
}
