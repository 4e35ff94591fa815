//! What differs between hosts: how messages reach the client.

use crate::mcp::Outbox;

/// The way from a session to its client.
pub trait Shell: Send + Sync + 'static {
    /// Takes what the session has said. A shell that sends it later, in one piece, leaves it in the
    /// outbox for [`flush`](Shell::flush).
    ///
    /// The runner's lock is held, so that messages keep their order: this must not block and must
    /// not call the runner.
    fn said(&self, outbox: &mut Outbox);

    /// Sends what was said out of turn: by a call that has ended later, a tool that reports
    /// progress, a registry that has changed. `take` takes what is in the outbox, and puts the
    /// empty buffer that it is given in its place. No lock is held.
    fn flush(&self, take: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        let _ = take;
    }

    /// Whether the client is so far behind with reading that progress and log messages of tools are
    /// to be dropped.
    fn is_behind(&self) -> bool {
        false
    }
}
