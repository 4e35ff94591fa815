//! Messages on their way to whoever reads them. The driver never waits here; what is not read is bounded in bytes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::agent::error::RunError;

/// The driver's end.
#[derive(Clone)]
pub(crate) struct Inbox(Arc<Shared>);

/// The reader's end: one, and not cloned.
pub(crate) struct Outlet {
    shared: Arc<Shared>,
    /// Taken from the queue all at once, so that most messages cost no lock.
    taken: VecDeque<Box<str>>,
}

struct Shared {
    state: Mutex<State>,
    /// Bytes that nobody has read, in the queue and in the outlet.
    unread: AtomicUsize,
    bound: usize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Box<str>>,
    waker: Option<Waker>,
    ended: bool,
    /// Why it ended, told once.
    error: Option<RunError>,
    deaf: bool,
}

/// A queue for at most `bound` bytes.
pub(crate) fn channel(bound: usize) -> (Inbox, Outlet) {
    let shared = Arc::new(Shared { state: Mutex::default(), unread: AtomicUsize::new(0), bound });
    (Inbox(shared.clone()), Outlet { shared, taken: VecDeque::new() })
}

impl Inbox {
    /// Adds messages in order.
    ///
    /// # Errors
    ///
    /// They are more than may wait. They are added all the same, so that none is lost.
    pub(crate) fn push(&self, messages: impl IntoIterator<Item = Box<str>>) -> Result<(), RunError> {
        let mut state = self.0.state();
        let mut unread = self.0.unread.load(Ordering::Relaxed);
        for message in messages {
            if state.deaf {
                return Ok(());
            }
            unread = self.0.unread.fetch_add(message.len(), Ordering::Relaxed) + message.len();
            state.queue.push_back(message);
        }
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
        match unread > self.0.bound {
            true => Err(RunError::Unread { unread, bound: self.0.bound }),
            false => Ok(()),
        }
    }

    /// No more will come; the reader gets what there is first, then the error.
    pub(crate) fn end(&self, error: Option<RunError>) {
        let mut state = self.0.state();
        if !state.ended {
            state.ended = true;
            state.error = error;
        }
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Outlet {
    /// The next message.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Box<str>, RunError>>> {
        if self.taken.is_empty() {
            let mut state = self.shared.state();
            std::mem::swap(&mut state.queue, &mut self.taken);
            if self.taken.is_empty() {
                if state.ended {
                    return Poll::Ready(state.error.take().map(Err));
                }
                state.waker = Some(cx.waker().clone());
                return Poll::Pending;
            }
        }
        let Some(message) = self.taken.pop_front() else { return Poll::Pending };
        self.shared.unread.fetch_sub(message.len(), Ordering::Relaxed);
        Poll::Ready(Some(Ok(message)))
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.deaf = true;
        state.queue = VecDeque::new();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
