//! A call between its request and its start.

use crate::mcp::{Batch, Call, CallId, Extensions};

/// The result of passing a line to a [`Runner`](super::Runner).
#[derive(Debug)]
#[non_exhaustive]
#[must_use = "a call that is not run is never answered"]
pub enum Received<'a> {
    /// Nothing is left to do.
    Nothing,
    /// A call to [run](super::Runner::run). It borrows the line.
    Call(Admission<'a>),
    /// The client has cancelled this call, and the runner has stopped it.
    Cancelled(Box<CallId>),
    /// The calls of a batch, each to [run](super::Runner::run), and those that the client has
    /// cancelled with it, which the runner has stopped.
    Batch(Box<Batch<Admission<'a>>>),
    /// The session is closed and takes no more lines.
    Closed,
}

/// A call that has been received.
#[derive(Debug)]
#[must_use = "a call that is not run is never answered"]
pub struct Admission<'a> {
    pub(super) call: Call<'a>,
    /// The length of its line, in bytes.
    pub(super) bytes: usize,
    /// It need not wait for another call to end. False for the calls of batches.
    pub(super) is_free: bool,
}

impl Admission<'_> {
    /// Which call it is.
    pub fn id(&self) -> &CallId {
        self.call.id()
    }

    /// Values that the call's tool finds through its context.
    pub fn extensions_mut(&mut self) -> &mut Extensions {
        self.call.extensions_mut()
    }

    /// True if the call will wait for another one to end, or for the client to read. Over the
    /// bounds of [`Limits`](super::Limits) it is refused. True of each call of a batch, too:
    /// whether it will wait depends on the others.
    pub fn will_wait(&self) -> bool {
        !self.is_free
    }
}
