//! The transcripts of a session's subagents.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::folders;
use crate::agent::user::User;

/// Who started a subagent.
#[derive(Debug, Default)]
pub(super) struct Parent {
    pub(super) tool_use_id: Option<String>,
    pub(super) agent_id: Option<String>,
}

impl Parent {
    /// From what the CLI notes of a subagent.
    pub(super) fn of(metadata: &Value) -> Self {
        let text = |name: &str| metadata[name].as_str().map(str::to_owned);
        Self { tool_use_id: text("toolUseId"), agent_id: text("parentAgentId") }
    }

    /// From the file beside a subagent's transcript. A subagent without one has no known parent.
    pub(super) fn beside(transcript: &Path) -> Self {
        noted(transcript, None).map(|noted| Self::of(&noted)).unwrap_or_default()
    }
}

/// What the CLI has noted in the file beside a subagent's transcript, if this user could read it.
pub(super) fn noted(transcript: &Path, user: Option<User>) -> Option<Value> {
    let file = folders::open(&transcript.with_extension("meta.json"), user).ok()?;
    serde_json::from_reader(BufReader::new(file)).ok()
}

/// The subagents of the session with this transcript, each with its own transcript.
pub(super) fn all(session: &Path) -> Vec<(String, PathBuf)> {
    let files = folders::below(&session.with_extension("").join("subagents")).into_iter();
    files.filter_map(|path| Some((id(path.file_stem()?.to_str()?)?.to_owned(), path))).collect()
}

/// The subagent's id in the name of its transcript.
pub(super) fn id(name: &str) -> Option<&str> {
    name.strip_prefix("agent-")
}
