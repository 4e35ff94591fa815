//! Where the transcript of a session is, and how far it has come.

use std::fs;
use std::path::Path;

use serde_json::Value;

#[cfg(feature = "sessions")]
use crate::agent::sessions::project_key;

/// What the ids of messages begin with; a number follows.
const UUID: &str = "00000000-0000-4000-8000-";

/// The transcript of a session, which is not written, but which a store is told of.
#[derive(Default)]
pub(super) struct Transcript {
    pub(super) path: String,
    /// The id of its last entry.
    pub(super) last: Option<String>,
    /// The greatest number in an id.
    pub(super) last_number: u64,
}

impl Transcript {
    /// The transcript in a folder of configuration, where it may be from an earlier run.
    pub(super) fn read(config: &str, cwd: &str, session: &str) -> Self {
        let folder = Path::new(config).join("projects").join(project_key(cwd));
        let path = folder.join(format!("{session}.jsonl"));
        let mut transcript = Self { path: path.to_string_lossy().into_owned(), ..Self::default() };
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            let entry: Value = serde_json::from_str(line).unwrap_or_default();
            let Some(uuid) = entry["uuid"].as_str() else { continue };
            let number = uuid.strip_prefix(UUID).and_then(|n| u64::from_str_radix(n, 16).ok());
            transcript.last_number = transcript.last_number.max(number.unwrap_or_default());
            transcript.last = Some(uuid.to_owned());
        }
        transcript
    }

    /// Goes on in the folder of another project: the CLI moves the file.
    pub(super) fn move_to(&mut self, cwd: &str) {
        let path = Path::new(&self.path);
        if let (Some(projects), Some(file)) = (path.ancestors().nth(2), path.file_name()) {
            let path = projects.join(project_key(cwd)).join(file);
            self.path = path.to_string_lossy().into_owned();
        }
    }
}

/// Without the feature there is no store.
#[cfg(not(feature = "sessions"))]
fn project_key(_: &str) -> String {
    String::new()
}
