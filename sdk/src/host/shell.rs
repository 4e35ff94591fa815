//! What differs between hosts: how messages reach the client.

use crate::mcp::Outbox;

/// The connection from a session to its client.
pub trait Shell: Send + Sync + 'static {
    /// Takes new messages of the session. A shell that sends them later, as one batch, leaves them
    /// in the outbox for [`flush`](Shell::flush).
    ///
    /// The runner's lock is held, so that messages keep their order: this method must not block and
    /// must not call the runner.
    fn said(&self, outbox: &mut Outbox);

    /// Sends messages that the current line did not cause: the answer to an earlier call, progress
    /// of a tool, a change of the registry. `take` returns the bytes of the outbox and leaves the
    /// empty buffer that it gets in their place. No lock is held.
    fn flush(&self, _take: &dyn Fn(Vec<u8>) -> Vec<u8>) {}

    /// True if the client is so far behind with reading that no more calls may start, and progress
    /// and log messages of tools must be dropped. A shell that was behind calls
    /// [`Runner::resume`](super::Runner::resume) later.
    ///
    /// The runner's lock may be held: this method must not block.
    fn is_behind(&self) -> bool {
        false
    }
}
