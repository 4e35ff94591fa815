//! Files that only this user can read.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use crate::agent::sessions::SessionEntry;

/// Writes a transcript.
pub(super) fn write_lines(path: &Path, entries: &[SessionEntry]) -> io::Result<()> {
    let mut lines = Vec::new();
    for entry in entries {
        lines.extend_from_slice(entry.get().as_bytes());
        lines.push(b'\n');
    }
    write(path, &lines)
}

/// Writes a file that only this user can read, and its folder.
pub(super) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(contents)
}
