//! What is written to the CLI: whole lines, then the end of its input.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::task::yield_now;

use super::transport::Outgoing;

/// With more bytes than this behind the first line that the CLI has not read, the run fails.
const MOST: usize = 64 * 1024 * 1024;

/// Collects lines for the CLI and writes them. Adding a line never waits.
#[derive(Default)]
pub(crate) struct Writer {
    state: Mutex<State>,
    /// Wakes [`Writer::run`].
    to_write: Notify,
    /// Wakes who waits for the CLI to read.
    written: Notify,
    /// Told when a line was lost.
    alarm: Arc<Notify>,
}

#[derive(Default)]
struct State {
    lines: Vec<u8>,
    /// The length of the first of them, which may be of any length: it does not count.
    first: usize,
    /// The CLI's input is closed once `lines` is written.
    is_ended: bool,
    /// Nothing more is written: there never is room again.
    is_closed: bool,
    /// `run` waits for `to_write`.
    is_waiting: bool,
    /// How many bytes waited when the first line was lost.
    lost: Option<usize>,
}

impl Writer {
    /// Adds whole lines; they are written after the next [`flush`](Writer::flush). `write` runs
    /// under the lock and must not run code of the user's. Once there are too many, further ones
    /// are lost: the run fails then.
    pub(crate) fn add(&self, write: impl FnOnce(&mut Vec<u8>)) {
        let state = &mut *self.state();
        if state.is_closed {
            return;
        }
        if state.waiting() > MOST {
            state.lost.get_or_insert(state.lines.len());
            return;
        }
        let is_first = state.lines.is_empty();
        write(&mut state.lines);
        if is_first {
            state.first = state.lines.len();
        }
    }

    /// Wakes [`Writer::run`] if there is something to write. If a line was ever lost, it sounds the
    /// [`alarm`](Writer::alarm) and gives the length in bytes of what waited for the CLI to read.
    pub(crate) fn flush(&self) -> Option<usize> {
        let (lost, wakes) = {
            let state = &mut *self.state();
            let has_work = state.is_ended || !state.lines.is_empty();
            (state.lost, has_work && std::mem::take(&mut state.is_waiting))
        };
        if wakes {
            self.to_write.notify_one();
        }
        if lost.is_some() {
            self.alarm.notify_one();
        }
        lost
    }

    /// What is told when a line was lost.
    pub(crate) fn alarm(&self) -> Arc<Notify> {
        self.alarm.clone()
    }

    /// Closes the CLI's input after the lines that were added so far.
    pub(crate) fn end(&self) {
        self.state().is_ended = true;
        self.flush();
        self.written.notify_waiters();
    }

    /// Whether the input is closed or will be after the lines that were added.
    pub(crate) fn is_ended(&self) -> bool {
        self.state().is_ended
    }

    /// Nothing more is written, so nobody need wait for room.
    pub(crate) fn close(&self) {
        self.state().is_closed = true;
        self.written.notify_waiters();
    }

    /// Waits while the CLI is far behind with reading.
    pub(crate) async fn caught_up(&self) {
        const FAR: usize = 1024 * 1024;
        self.until(|state| state.lines.len() <= FAR).await;
    }

    /// Waits until there is room for a line of so many bytes, or nothing more is to be written.
    pub(crate) async fn room(&self, length: usize) {
        let has_room = |state: &State| {
            let is_over = state.is_closed || state.is_ended;
            is_over || state.lines.is_empty() || state.waiting() + length <= MOST
        };
        self.until(has_room).await;
    }

    async fn until(&self, is_reached: impl Fn(&State) -> bool) {
        loop {
            // Before the check, so that no notification after it is missed.
            let written = self.written.notified();
            if is_reached(&self.state()) {
                return;
            }
            written.await;
        }
    }

    /// Writes all lines until the input is closed. A CLI that does not read holds up nothing else.
    /// While `expects_more` is true it gives other tasks a turn before it writes.
    ///
    /// # Errors
    ///
    /// The CLI takes no more input.
    pub(crate) async fn run(
        &self,
        mut outgoing: Box<dyn Outgoing>,
        expects_more: impl Fn() -> bool,
    ) -> io::Result<()> {
        let mut lines = Vec::new();
        loop {
            let is_ended = {
                let state = &mut *self.state();
                std::mem::swap(&mut lines, &mut state.lines);
                state.first = 0;
                state.is_waiting = lines.is_empty() && !state.is_ended;
                state.is_ended
            };
            let result = match (lines.is_empty(), is_ended) {
                (false, _) => outgoing.write(&lines).await,
                (true, true) => {
                    if let Err(error) = outgoing.end().await {
                        tracing::debug!(%error, "the CLI's input could not be closed in order");
                    }
                    return Ok(());
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
            if result.is_err() {
                self.close();
                return result;
            }
            self.written.notify_waiters();
            lines.clear();
            lines.shrink_to(1024 * 1024);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// How many bytes count as waiting.
    fn waiting(&self) -> usize {
        self.lines.len() - self.first
    }
}

#[cfg(test)]
mod tests;
