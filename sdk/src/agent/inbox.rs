//! Messages on their way to whoever reads them. The driver never waits here; what is not read is
//! bounded in bytes.

use std::borrow::Cow;
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
    taken: VecDeque<Piece>,
}

/// Messages in order, as one read brought them.
///
/// Small ones travel together: memory that one thread takes and another gives back costs more than
/// a second copy.
#[derive(Default)]
pub(crate) struct Batch {
    pieces: Vec<Piece>,
    length: usize,
    /// About how much will come.
    expected: usize,
}

enum Piece {
    /// Small messages one behind the other; where each ends; how many of them, and of the bytes,
    /// have been read.
    Small {
        text: String,
        ends: Vec<usize>,
        read: usize,
        at: usize,
    },
    Large(Box<str>),
}

/// What is at least so long travels alone and is not copied again.
const LARGE: usize = 8 * 1024;
/// No more is reserved ahead, as most of what was read may be the beginning of a large message.
const MOST: usize = 256 * 1024;

impl Batch {
    /// For messages of about `expected` bytes in all.
    pub(crate) fn new(expected: usize) -> Self {
        Self { expected: expected.min(MOST), ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(crate) fn add(&mut self, message: Cow<'_, str>) {
        self.length += message.len();
        if message.len() >= LARGE {
            return self.pieces.push(Piece::Large(message.into()));
        }
        if let Some(Piece::Small { text, ends, .. }) = self.pieces.last_mut() {
            text.push_str(&message);
            return ends.push(text.len());
        }
        let mut text = String::with_capacity(
            (self.expected + message.len()).saturating_sub(self.length).max(message.len()),
        );
        text.push_str(&message);
        self.pieces.push(Piece::Small { ends: vec![text.len()], text, read: 0, at: 0 });
    }
}

impl Piece {
    /// The next message of it, and whether that was the last.
    fn next(&mut self) -> (Box<str>, bool) {
        match self {
            Self::Small { text, ends, read, at } => {
                let end = ends.get(*read).copied().unwrap_or(*at);
                let message = text.get(*at..end).unwrap_or_default().into();
                (*read, *at) = (*read + 1, end);
                (message, *read >= ends.len())
            }
            Self::Large(message) => (std::mem::take(message), true),
        }
    }
}

struct Shared {
    state: Mutex<State>,
    /// Bytes that nobody has read, in the queue and in the outlet.
    unread: AtomicUsize,
    bound: usize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Piece>,
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
    pub(crate) fn push(&self, batch: Batch) -> Result<(), RunError> {
        let mut state = self.0.state();
        if state.deaf {
            return Ok(());
        }
        state.queue.extend(batch.pieces);
        let unread = self.0.unread.fetch_add(batch.length, Ordering::Relaxed) + batch.length;
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
    pub(crate) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Box<str>, RunError>>> {
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
        let Some(piece) = self.taken.front_mut() else { return Poll::Pending };
        let (message, is_last) = piece.next();
        if is_last {
            self.taken.pop_front();
        }
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
