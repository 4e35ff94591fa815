use std::fmt;

use serde::{Deserialize, Serialize};

use crate::agent::uuid::is_uuid;

/// The name of a transcript in a [`SessionStore`](super::SessionStore).
///
/// ```
/// use toolwright::agent::sessions::SessionKey;
///
/// let conversation = SessionKey::new("-work-website", "6f1d0f3c-1111-4222-8333-444455556666");
/// // Not `SessionKey { subpath: …, ..conversation }`: it may get more members.
/// let subagent = conversation.with_subpath("subagents/agent-a1");
/// assert_eq!(subagent.to_string(), format!("{conversation}/subagents/agent-a1"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SessionKey {
    /// The working folder's [`project_key`](super::super::project_key).
    pub project_key: String,
    /// The session's id.
    pub session_id: String,
    /// Which transcript of the session it is: `None` for the conversation itself, and
    /// `subagents/agent-ID` or `subagents/workflows/RUN/agent-ID` for a subagent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subpath: Option<String>,
}

/// No system has a file with a longer path.
const LONGEST_PATH: usize = 4096;

impl SessionKey {
    /// The key of a conversation.
    pub fn new(project_key: impl Into<String>, session_id: impl Into<String>) -> Self {
        Self { project_key: project_key.into(), session_id: session_id.into(), subpath: None }
    }

    /// The key of the transcript in a file of the CLI's, by its path. `None` for any other path.
    pub(crate) fn of_file(path: &str) -> Option<Self> {
        if path.len() > LONGEST_PATH {
            return None;
        }
        let parts: Vec<_> = path.strip_suffix(".jsonl")?.split('/').collect();
        // The folder of the project may have this name, too.
        let is_its = |at: &usize| parts[*at] == "projects" && is_uuid(parts[at + 2]);
        let at = (0..parts.len().saturating_sub(2)).rev().find(is_its)?;
        let (key, rest) = (Self::new(parts[at + 1], parts[at + 2]), &parts[at + 3..]);
        match rest.len() {
            0 => Some(key),
            // A file of another kind stands directly in the session's folder.
            1 => None,
            _ => Some(key.with_subpath(rest.join("/"))),
        }
    }

    /// The key of another transcript of the same session.
    pub fn with_subpath(&self, subpath: impl Into<String>) -> Self {
        Self { subpath: Some(subpath.into()), ..self.clone() }
    }
}

impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.project_key, self.session_id)?;
        self.subpath.iter().try_for_each(|subpath| write!(f, "/{subpath}"))
    }
}
