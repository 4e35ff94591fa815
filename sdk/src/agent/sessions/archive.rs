//! Whether a session is archived, as a file beside its transcript says.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::error::SessionError;
use super::files::Sessions;
use super::glance::Glance;
use super::write::write_new;
use super::{folders, prompt, time};
use crate::scan;

/// The name of the file.
const RECORD: &str = "archived.json";

#[derive(Deserialize)]
struct Record {
    archived: bool,
    at: String,
}

impl Sessions {
    /// Archives a session. It is still listed, as [`archived`](super::SessionInfo::archived); once
    /// the user says something in it, it is archived no longer.
    ///
    /// # Errors
    ///
    /// There is no such session, or the file beside its transcript cannot be written.
    pub fn archive_session(&self, id: &str) -> Result<(), SessionError> {
        self.set_archived(id, true)
    }

    /// Takes a session out of the archive.
    ///
    /// # Errors
    ///
    /// There is no such session, or the file beside its transcript cannot be written.
    pub fn unarchive_session(&self, id: &str) -> Result<(), SessionError> {
        self.set_archived(id, false)
    }

    fn set_archived(&self, id: &str, archived: bool) -> Result<(), SessionError> {
        let path = self.transcript(id)?.path.with_extension("").join(RECORD);
        let text = json!({"archived": archived, "at": time::now(), "by": "sdk"}).to_string();
        let write = || -> io::Result<()> {
            if let Some(folder) = path.parent() {
                fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            write_new(&path, |out| out.write_all(text.as_bytes()))
        };
        write().map_err(SessionError::at(&path))
    }
}

/// Whether the session of this transcript is archived; `None` if nothing says so.
pub(super) fn is_archived(transcript: &Path, glance: &Glance) -> Option<bool> {
    let text = folders::beside(transcript, RECORD)?;
    let Record { archived, at } = serde_json::from_slice(&text).ok()?;
    let at = time::millis(&at)?;
    let is_used = || [&glance.tail, &glance.head].iter().any(|lines| was_used_after(lines, at));
    Some(archived && !is_used())
}

/// Whether the user has said something after this time.
fn was_used_after(lines: &str, at: u64) -> bool {
    let millis = |line: &str| time::millis(&scan::text(line, "timestamp")?);
    let mut prompts = lines.split('\n').filter(|line| prompt::is_said(line));
    prompts.any(|line| millis(line).is_some_and(|time| time > at))
}
