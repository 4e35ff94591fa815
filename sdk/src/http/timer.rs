//! A time-out that runs while something is waited for.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Instead of a time that no clock can tell.
const NEVER: Duration = Duration::from_secs(30 * 365 * 86_400);

/// Costs nothing until something is waited for, and little where it is stopped again and again.
#[derive(Debug, Default)]
pub(super) struct Timer {
    /// Ends at `due` at the latest; if it ends earlier, it goes on.
    sleep: Option<Pin<Box<Sleep>>>,
    /// When the time is over; `None`: it does not run.
    due: Option<Instant>,
}

impl Timer {
    /// Ready once this was called for `limit` without a stop between.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, limit: Duration) -> Poll<()> {
        let due = *self.due.get_or_insert_with(|| {
            let now = Instant::now();
            now.checked_add(limit).unwrap_or_else(|| now + NEVER)
        });
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(due)));
        if sleep.deadline() > due {
            sleep.as_mut().reset(due);
        }
        while sleep.deadline() < due {
            ready!(sleep.as_mut().poll(cx));
            sleep.as_mut().reset(due);
        }
        sleep.as_mut().poll(cx)
    }

    pub(super) fn stop(&mut self) {
        self.due = None;
    }
}
