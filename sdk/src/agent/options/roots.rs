//! The folders of a run, as the roots of MCP.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::AgentOptions;

/// The CLI's working folder, and the folders that the model's tools may use besides.
#[derive(Debug)]
pub(crate) struct Roots {
    /// Where the session began. Absolute, unless there is no current folder.
    cwd: PathBuf,
    added: Vec<PathBuf>,
    /// Where the session has moved to.
    moved: Mutex<Option<PathBuf>>,
}

impl AgentOptions {
    /// The folders; a relative one is relative to the present current folder.
    pub(crate) fn roots(&self) -> Roots {
        let cwd = self.folder();
        Roots {
            cwd: std::path::absolute(cwd).unwrap_or_else(|_| cwd.to_owned()),
            added: self.process.add_dirs.clone(),
            moved: Mutex::default(),
        }
    }
}

impl Roots {
    /// The session has moved to another working folder.
    pub(crate) fn move_to(&self, folder: PathBuf) {
        *self.moved() = Some(folder);
    }

    /// The result of `roots/list`, as the CLI gives it to its own servers: the working folder
    /// without symbolic links, then the added folders that exist and are not within it, sorted.
    ///
    /// # Errors
    ///
    /// The working folder is gone.
    pub(crate) fn list(&self) -> io::Result<Value> {
        let begun = self.cwd.canonicalize();
        let from = begun.as_deref().unwrap_or(&self.cwd);
        let added: Vec<_> = self.added.iter().map(|folder| resolved(&from.join(folder))).collect();
        let moved = self.moved().clone();
        let cwd = moved.map_or(begun, |folder| folder.canonicalize())?;
        let added = added.into_iter().filter(|folder| folder.is_dir() && !folder.starts_with(&cwd));
        let added: BTreeSet<_> = added.collect();
        let roots = [&cwd].into_iter().chain(&added).map(|folder| json!({"uri": uri(folder)}));
        Ok(json!({"roots": roots.collect::<Vec<_>>()}))
    }

    fn moved(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A path without `..`, by its text alone.
fn resolved(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
        path
    })
}

/// A path as a `file` URI (RFC 8089): its characters are those of RFC 3986's `pchar`.
fn uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(char::from(*byte)),
            _ if b"/-._~!$&'()*+,;=:@".contains(byte) => uri.push(char::from(*byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
