mod importing;
mod listing;
mod reading;
mod worktrees;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Sessions;

pub(super) const ID: &str = "11111111-1111-4111-8111-111111111111";

/// A configuration folder that is deleted with this value.
pub(super) struct Home(PathBuf);

impl Home {
    pub(super) fn new() -> Self {
        let name = format!("toolwright-sessions-{}", uuid::Uuid::new_v4());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn sessions(&self) -> Sessions {
        Sessions::at(&self.0)
    }

    /// Writes a file below the folder of a project.
    pub(super) fn write(&self, path: &str, lines: &[Value]) -> PathBuf {
        let path = self.0.join("projects").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&path, lines).unwrap();
        path
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// A message that follows another one.
pub(super) fn said(kind: &str, id: &str, parent: Option<&str>, text: &str) -> Value {
    json!({
        "type": kind, "uuid": id, "parentUuid": parent, "sessionId": ID,
        "timestamp": "2026-01-02T03:04:05.678Z", "message": {"role": kind, "content": text},
    })
}
