//! The bounds of a run.

use std::time::Duration;

/// How much may wait and how long is waited. The table of the architecture document has the
/// defaults and their reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes of one line of the CLI's.
    pub(crate) max_line: usize,
    /// Bytes of messages that nobody has read.
    pub(crate) max_unread: usize,
    pub(crate) control_timeout: Duration,
    pub(crate) initialize_timeout: Duration,
    /// How long the CLI may take to end after its input was closed.
    pub(crate) close_grace: Duration,
    /// How long it may take after SIGTERM.
    pub(crate) terminate_grace: Duration,
    /// How long a one-shot run may go on between turns; `None` is without end.
    pub(crate) background_wait: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            max_line: 256 * MIB,
            max_unread: 512 * MIB,
            control_timeout: Duration::from_secs(60),
            initialize_timeout: Duration::from_secs(120),
            close_grace: Duration::from_secs(5),
            terminate_grace: Duration::from_secs(5),
            background_wait: Some(Duration::from_secs(600)),
        }
    }
}
