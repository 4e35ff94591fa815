//! How tools and registries reach the session that serves them.

#[cfg(feature = "http")]
use std::collections::HashSet;
use std::fmt;

use tokio::sync::oneshot;

use super::protocol::{CustomNotification, ErrorObject, RequestId, Topic, Write};

/// How tools and registries reach a [`Session`](super::Session): a running tool to report progress,
/// a registry to notify of a change.
///
/// A host keeps the session and its outbox behind one lock. `speak` takes that lock, passes the
/// speech to [`Session::speak`](super::Session::speak), and sends the messages that the session has
/// written. Any thread may call it, even while it polls a tool, but not while it holds the lock.
pub trait Link: Send + Sync + 'static {
    /// Makes the session send a message that answers no request.
    fn speak(&self, speech: Speech<'_>);
}

/// A message that a session sends at any time, on behalf of a tool or of a registry.
pub struct Speech<'a>(pub(crate) Words<'a>);

pub(crate) enum Words<'a> {
    /// A notification about a call.
    Notify {
        call: &'a CallId,
        method: &'a str,
        /// Asked in the session's turn; otherwise nothing is sent.
        is_due: &'a dyn Fn() -> bool,
        params: Write<'a>,
    },
    /// A request to the client on behalf of a call; its id is stored in `id`.
    Ask {
        call: &'a CallId,
        method: &'static str,
        params: Write<'a>,
        answer: oneshot::Sender<Answered>,
        id: &'a mut Option<u64>,
    },
    /// The answer to this request to the client is no longer needed.
    Withdraw {
        id: u64,
    },
    /// A notification outside of the protocol, and about no call.
    Custom(&'a CustomNotification),
    Changed(&'a Topic),
    /// Asks for the ids of the tasks that the client listens for.
    #[cfg(feature = "http")]
    Listened(&'a mut HashSet<Box<str>>),
}

/// The answer to a request to the client: the JSON text of its result.
pub(crate) type Answered = Result<Box<str>, AskError>;

/// Why a question to the client has no answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AskError {
    /// There is no client, or it does not declare that it supports the question.
    Unsupported,
    /// The function is no `async` function, or a layer around one, or completes an argument, or
    /// answers a request outside of MCP in 2026-07-28: it cannot wait.
    NeedsAsync,
    /// The client has answered with an error.
    Refused(ErrorObject),
    /// The answer does not have the form that the question demands, as this text says. An answer
    /// that does not fit its form is asked for once more; so is each wrong answer to a task, and
    /// one that an earlier round has brought.
    Invalid(String),
    /// The user has declined, where the tool needs an answer.
    Declined,
    /// The user has closed the question without an answer, where the tool needs one.
    Cancelled,
    /// The session has 64 questions open already, or the task has asked 64, or the client is far
    /// behind with reading and 64 were asked since.
    Overloaded,
    /// The call or the session has ended.
    Closed,
}

/// Identifies one call of one session permanently. A request's id does not, as the client may use
/// it again once the request is answered or cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    pub(crate) id: RequestId,
    pub(crate) number: u64,
}

impl<'a> Speech<'a> {
    /// True if a host may drop it for a client that does not read: progress, log messages and
    /// notifications outside of the protocol.
    pub fn is_droppable(&self) -> bool {
        matches!(self.0, Words::Notify { .. } | Words::Custom(_))
    }

    /// True if it is a question to the client.
    #[cfg(feature = "host")]
    pub(crate) fn asks(&self) -> bool {
        matches!(self.0, Words::Ask { .. })
    }

    /// Who waits for the answer, if it is a question.
    #[cfg(feature = "host")]
    pub(crate) fn asker(self) -> Option<oneshot::Sender<Answered>> {
        match self.0 {
            Words::Ask { answer, .. } => Some(answer),
            _ => None,
        }
    }

    /// What has changed, if this is the message.
    #[cfg(feature = "host")]
    pub(crate) fn topic(&self) -> Option<&Topic> {
        match &self.0 {
            Words::Changed(topic) => Some(topic),
            _ => None,
        }
    }

    #[cfg(feature = "host")]
    pub(crate) fn of_change(topic: &'a Topic) -> Self {
        Self(Words::Changed(topic))
    }
}

impl CallId {
    /// The id of the call's request.
    pub fn request_id(&self) -> &RequestId {
        &self.id
    }

    /// The call's number in its session, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => f.write_str("the client cannot be asked"),
            Self::NeedsAsync => {
                f.write_str("only an `async` tool, prompt or resource can ask the client")
            }
            Self::Refused(error) => write!(f, "the client refused: {error}"),
            Self::Invalid(problem) => write!(f, "the client's answer is invalid: {problem}"),
            Self::Declined => f.write_str("the user has declined"),
            Self::Cancelled => f.write_str("the user has closed the question"),
            Self::Overloaded => f.write_str("too many questions are open already"),
            Self::Closed => f.write_str("the call that asked has ended"),
        }
    }
}

impl std::error::Error for AskError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Debug for Speech<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Speech")
    }
}
