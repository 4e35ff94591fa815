//! What is written to the CLI: whole lines, then the end of its input.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::task::yield_now;

use super::transport::Outgoing;

/// With more bytes than this that the CLI has not read, the run fails.
const MOST: usize = 64 * 1024 * 1024;

/// Collects lines for the CLI and writes them. Adding a line never waits.
#[derive(Default)]
pub(crate) struct Writer {
    state: Mutex<State>,
    /// Wakes [`Writer::run`].
    to_write: Notify,
    /// Wakes [`Writer::caught_up`].
    written: Notify,
}

#[derive(Default)]
struct State {
    lines: Vec<u8>,
    /// The CLI's input is closed once `lines` is written.
    is_ended: bool,
    /// `run` waits for `to_write`.
    is_waiting: bool,
}

impl Writer {
    /// Adds whole lines; they are written after the next [`flush`](Writer::flush). `write` runs
    /// under the lock and must not run code of the user's. Once there are too many, further ones
    /// are lost: the run fails then.
    pub(crate) fn add(&self, write: impl FnOnce(&mut Vec<u8>)) {
        let state = &mut *self.state();
        if state.lines.len() <= MOST {
            write(&mut state.lines);
        }
    }

    /// Wakes [`Writer::run`] if there is something to write. Gives the length in bytes of what
    /// waits for the CLI to read, if that is over the bound.
    pub(crate) fn flush(&self) -> Option<usize> {
        let (length, wakes) = {
            let state = &mut *self.state();
            let has_work = state.is_ended || !state.lines.is_empty();
            (state.lines.len(), has_work && std::mem::take(&mut state.is_waiting))
        };
        if wakes {
            self.to_write.notify_one();
        }
        Some(length).filter(|length| *length > MOST)
    }

    /// Closes the CLI's input after the lines that were added so far.
    pub(crate) fn end(&self) {
        self.state().is_ended = true;
        self.flush();
    }

    /// Whether the input is closed or will be after the lines that were added.
    pub(crate) fn is_ended(&self) -> bool {
        self.state().is_ended
    }

    /// Waits while the CLI is far behind with reading.
    pub(crate) async fn caught_up(&self) {
        const FAR: usize = 1024 * 1024;
        while self.state().lines.len() > FAR {
            self.written.notified().await;
        }
    }

    /// Writes all lines until the input is closed. A CLI that does not read holds up nothing else.
    /// While `expects_more` is true it gives other tasks a turn before it writes.
    pub(crate) async fn run(
        &self,
        mut outgoing: Box<dyn Outgoing>,
        expects_more: impl Fn() -> bool,
    ) {
        let mut lines = Vec::new();
        loop {
            let is_ended = {
                let state = &mut *self.state();
                std::mem::swap(&mut lines, &mut state.lines);
                state.is_waiting = lines.is_empty() && !state.is_ended;
                state.is_ended
            };
            let result = match (lines.is_empty(), is_ended) {
                (false, _) => outgoing.write(&lines).await,
                (true, true) => {
                    if let Err(error) = outgoing.end().await {
                        tracing::debug!(%error, "the CLI's input could not be closed in order");
                    }
                    return;
                }
                (true, false) => {
                    self.to_write.notified().await;
                    if expects_more() {
                        // Answers that are ready then leave with the same system call.
                        yield_now().await;
                    }
                    Ok(())
                }
            };
            if let Err(error) = result {
                // The end of the CLI's output ends the run; what could not be written is lost.
                return tracing::debug!(%error, "the CLI takes no more input");
            }
            self.written.notify_one();
            lines.clear();
            lines.shrink_to(1024 * 1024);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
