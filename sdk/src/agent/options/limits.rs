//! The limits of a run.

use std::time::Duration;

/// Limits in bytes and in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The maximum length of one line of the CLI, in bytes.
    pub(crate) max_line: usize,
    /// The maximum size of all unread messages together, in bytes.
    pub(crate) max_unread: usize,
    /// Reading waits at `max_unread`.
    pub(crate) backpressure: bool,
    pub(crate) control_timeout: Duration,
    pub(crate) initialize_timeout: Duration,
    /// The time that the CLI has to exit after its input was closed.
    pub(crate) close_grace: Duration,
    /// The time that it has to exit after SIGTERM.
    pub(crate) terminate_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            max_line: 256 * MIB,
            max_unread: 512 * MIB,
            backpressure: false,
            control_timeout: Duration::from_secs(60),
            initialize_timeout: Duration::from_secs(120),
            close_grace: Duration::from_secs(5),
            terminate_grace: Duration::from_secs(5),
        }
    }
}
