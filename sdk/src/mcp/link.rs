//! The way from a tool or a registry back to the session that serves it.

use super::protocol::RequestId;

/// What a host of a [`Session`](super::Session) gives it, so that others can speak in the session's
/// turn.
///
/// A host keeps the session and its output behind one lock; both methods take that lock, call the
/// session's method of the same name, and see that what it wrote is sent. They may be called from
/// any thread, also while a tool is polled, but never while the host holds the lock.
pub trait Link: Send + Sync + 'static {
    /// See [`Session::notify`](super::Session::notify).
    fn notify(&self, call: &CallId, write: &mut dyn FnMut(&mut Vec<u8>));

    /// See [`Session::tools_changed`](super::Session::tools_changed).
    fn tools_changed(&self);
}

/// Names one call of one session for good: the client may use a request's id again once it is
/// answered or cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    pub(crate) id: RequestId,
    pub(crate) number: u64,
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
