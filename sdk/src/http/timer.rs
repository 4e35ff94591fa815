//! A time-out that runs while something is waited for.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// Costs nothing until something is waited for.
#[derive(Debug, Default)]
pub(super) struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
    is_running: bool,
}

impl Timer {
    /// Ready once this was called for `limit` without a stop between.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, limit: Duration) -> Poll<()> {
        let sleep = match &mut self.sleep {
            Some(sleep) if self.is_running => sleep,
            Some(sleep) => {
                sleep.as_mut().reset(Instant::now() + limit);
                sleep
            }
            none => none.insert(Box::pin(sleep(limit))),
        };
        self.is_running = true;
        sleep.as_mut().poll(cx)
    }

    pub(super) fn stop(&mut self) {
        self.is_running = false;
    }
}
