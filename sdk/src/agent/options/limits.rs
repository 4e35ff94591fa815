//! The limits of a run.

use std::time::Duration;

use crate::agent::wire::millis;

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
    /// How long a one-shot run waits between turns; `None` means forever.
    pub(crate) background_wait: Option<Duration>,
}

impl Limits {
    /// How long the CLI waits for background work once its input is closed, in ms and 0 for ever,
    /// if that is not its own default.
    pub(super) fn background_wait_of_the_cli(&self) -> Option<u64> {
        let millis = self.background_wait.map_or(0, |wait| millis(wait).max(1));
        (self.background_wait != Self::default().background_wait).then_some(millis)
    }
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
            background_wait: Some(Duration::from_secs(600)),
        }
    }
}
