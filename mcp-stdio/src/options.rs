//! The bounds of a server.

use std::time::Duration;

/// How much a server takes on. Every bound can be set; the defaults suit a program that a client
/// starts for itself.
///
/// ```
/// let mut options = toolwright_stdio::Options::default();
/// options.max_running = 16;
/// # let _ = options;
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The longest line that is read, in bytes, but at least 65 KiB; a longer one is answered with
    /// an error. 64 MiB.
    pub max_line: usize,
    /// How many calls run at once, at least 1. 1,024.
    pub max_running: usize,
    /// How many bytes of lines may wait for a call to end, beyond which no more is read. 64 MiB.
    pub max_waiting: usize,
    /// How many calls may wait for another one to end, at least 1, beyond which no more is read.
    /// 65,536.
    pub max_waiting_calls: usize,
    /// How many bytes of answers may wait for the client to take them, beyond which no more is
    /// read, and progress and log messages of tools are dropped. 64 MiB.
    pub max_unsent: usize,
    /// On how many threads plain functions run. 64.
    pub sync_threads: usize,
    /// How long running calls have once no more is to come. 1 second.
    pub grace: Duration,
}

impl Default for Options {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            max_line: 64 * MIB,
            max_running: 1_024,
            max_waiting: 64 * MIB,
            max_waiting_calls: 65_536,
            max_unsent: 64 * MIB,
            sync_threads: 64,
            grace: Duration::from_secs(1),
        }
    }
}
