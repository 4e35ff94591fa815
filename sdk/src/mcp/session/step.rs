//! What a line asks of the host.

use crate::mcp::call::Call;
use crate::mcp::link::CallId;

/// What the host must do next. The messages of the session are in the outbox.
///
/// What is large is in a box, so that a step fits into two registers.
#[derive(Debug)]
#[non_exhaustive]
#[must_use]
pub enum Step<'a> {
    /// Nothing.
    Idle,
    /// Start and run this call.
    Call(Call<'a>),
    /// Stop this call; the client wants no answer.
    Cancel(Box<CallId>),
    /// Start, run and stop the calls of a batch.
    Batch(Box<Batch<Call<'a>>>),
}

/// The calls that an array of messages is about; 2025-03-26 has such arrays. All answers to it are
/// sent together, once the last of its calls is answered or cancelled; of more than 16 MiB some are
/// sent before.
#[derive(Debug)]
#[non_exhaustive]
pub struct Batch<C> {
    /// The number of the batch in its session, which no call has. [`Label::Batch`] has it too.
    ///
    /// [`Label::Batch`]: super::super::Label::Batch
    pub number: u64,
    /// Start and run these calls, all at the same time.
    pub calls: Vec<C>,
    /// Stop these calls, which began before; the client wants no answer.
    pub cancelled: Vec<CallId>,
}

impl<C> Batch<C> {
    /// The same batch with other values for its calls.
    pub fn map<T>(self, change: impl FnMut(C) -> T) -> Batch<T> {
        let Self { number, calls, cancelled } = self;
        Batch { number, calls: calls.into_iter().map(change).collect(), cancelled }
    }
}
