use std::io;
use std::path::PathBuf;

use super::store::StoreError;

/// Why an operation on a session failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Neither `CLAUDE_CONFIG_DIR` nor a home folder is known.
    #[error("there is no home folder, and CLAUDE_CONFIG_DIR is not set")]
    NoHome,
    /// The id is no UUID, so no session can have it.
    #[error("{id:?} is no session id: it is not a UUID")]
    InvalidId {
        /// The id.
        id: String,
    },
    /// There is no such session.
    #[error("there is no session {id}")]
    NotFound {
        /// Its id.
        id: String,
    },
    /// The session has no such subagent.
    #[error("the session {id} has no subagent {agent}")]
    NoSubagent {
        /// The session's id.
        id: String,
        /// The subagent's id.
        agent: String,
    },
    /// A title must have more than spaces.
    #[error("the title is empty")]
    EmptyTitle,
    /// A tag must have something that can be seen.
    #[error("the tag is empty; None takes a tag away")]
    EmptyTag,
    /// The session has no messages that could be copied.
    #[error("the session {id} has no messages")]
    NoMessages {
        /// The session's id.
        id: String,
    },
    /// The session has no such message.
    #[error("the session {id} has no message {message}")]
    NoMessage {
        /// The session's id.
        id: String,
        /// The message's id.
        message: String,
    },
    /// The store failed, or does not have a method that is needed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or folder cannot be read or written.
    #[error("{} cannot be used: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

impl SessionError {
    /// The error of a file, for `map_err`.
    pub(super) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }
}
