//! The way from a tool or a registry back to the session that serves it.

use std::fmt;

use tokio::sync::oneshot;

use super::protocol::{ErrorObject, ListKind, RequestId, Write};

/// How others than the client reach a [`Session`](super::Session): a running tool that reports
/// progress, a registry whose tools have changed.
///
/// A host keeps the session and its outbox behind one lock. `speak` takes that lock, gives the
/// speech to [`Session::speak`](super::Session::speak), and sends what the session has written. It
/// may be called from any thread, also while a tool is polled, but never while the host holds the
/// lock.
pub trait Link: Send + Sync + 'static {
    /// Lets the session say something out of turn.
    fn speak(&self, speech: Speech<'_>);
}

/// What a session is to say out of turn.
pub struct Speech<'a>(pub(crate) Words<'a>);

pub(crate) enum Words<'a> {
    /// A notification about a call.
    Notify {
        call: &'a CallId,
        method: &'static str,
        /// Asked in the session's turn; otherwise nothing is sent.
        is_due: &'a dyn Fn() -> bool,
        params: Write<'a>,
    },
    /// A request to the client on behalf of a call; its id is put into `id`.
    Ask {
        call: &'a CallId,
        method: &'static str,
        params: Write<'a>,
        answer: oneshot::Sender<Answered>,
        id: &'a mut Option<u64>,
    },
    /// Nobody waits for the answer to this request of ours any more.
    Withdraw {
        id: u64,
    },
    ListChanged(ListKind),
}

/// The answer to a request of ours: the JSON text of its result.
pub(crate) type Answered = Result<Box<str>, AskError>;

/// Why a question to the client has no answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AskError {
    /// There is no client, or the request's revision of the protocol has no requests to it.
    Unsupported,
    /// The client has answered with an error.
    Refused(ErrorObject),
    /// The call or the session has ended.
    Ended,
}

/// Names one call of one session for good: the client may use a request's id again once it is
/// answered or cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    pub(crate) id: RequestId,
    pub(crate) number: u64,
}

impl Speech<'_> {
    /// Whether a host may drop it for a client that does not read: progress and log messages.
    pub fn is_droppable(&self) -> bool {
        matches!(self.0, Words::Notify { .. })
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
            Self::Refused(error) => write!(f, "the client refused: {error}"),
            Self::Ended => f.write_str("the call that asked has ended"),
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
