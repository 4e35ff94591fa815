//! What is at the other end of a client.

use std::io;
use std::process::ExitStatus;
use std::time::Instant;

/// A line of the server, after the time when it came.
pub(super) type Line = (Instant, Vec<u8>);

/// A running server. Its lines come through a channel, which ends when the server has closed its
/// output.
pub(super) trait Peer: Send {
    /// Sends a line, which has no line feed.
    fn send(&mut self, line: &str) -> io::Result<()>;

    /// Sends nothing more.
    fn end_input(&mut self);

    /// Waits for the server to exit, once it has closed its output.
    fn wait(&mut self, end: Instant) -> io::Result<ExitStatus>;

    /// The process that it runs in.
    fn process(&self) -> u32;
}
