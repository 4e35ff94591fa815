//! Messages on their way to the consumer. The driver puts them in and does not wait until they are
//! read, unless it is told to; how many bytes may be unread is bounded.

mod batch;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::sync::Notify;

use crate::agent::error::RunError;
use batch::Piece;

pub(crate) use batch::Batch;

/// Above this the driver gives the consumer a moment to read before it reads on itself.
const MUCH: usize = 1024 * 1024;
/// How much the consumer reads until the driver goes on, so that neither wakes the other for every
/// message.
const STEP: usize = 256 * 1024;
/// How long the driver gives the consumer. Control messages may wait as long.
const MOMENT: Duration = Duration::from_millis(10);

/// The driver's end.
pub(crate) struct Inbox(Arc<Shared>);

/// The consumer's end: one, and not cloned.
pub(crate) struct Outlet {
    shared: Arc<Shared>,
    /// Taken from the queue all at once, so that most messages cost no lock.
    taken: VecDeque<Piece>,
    gate: Option<Box<dyn Gate>>,
    /// What the gate holds back: a message, or the end.
    held: Option<Next>,
}

type Next = Option<Result<Arc<str>, RunError>>;

/// Lets messages pass to the consumer once something else is done.
pub(crate) trait Gate: Send + Sync {
    /// Waits until a message may pass, or the end of the messages. `Some` is a message to be
    /// delivered before it.
    fn poll_pass(&mut self, message: Option<&str>, cx: &mut Context<'_>) -> Poll<Option<Arc<str>>>;
}

struct Shared {
    state: Mutex<State>,
    /// Bytes that are not read, in the queue and in the outlet.
    unread: AtomicUsize,
    /// Bytes that were taken from the outlet for readers that have not asked for them yet.
    held: AtomicUsize,
    bound: usize,
    /// The driver waits at the bound.
    waits: bool,
    /// Wakes the driver when the consumer has read on.
    room: Notify,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Piece>,
    waker: Option<Waker>,
    ended: bool,
    /// Why it ended, given once.
    error: Option<RunError>,
    /// The outlet is gone.
    deaf: bool,
    /// Bytes that were ever added.
    added: usize,
    /// How many of them were read when the driver last waited for the consumer in vain.
    asleep_at: Option<usize>,
}

/// A queue for at most `bound` bytes. At the bound the driver `waits`, or the run fails.
pub(crate) fn channel(bound: usize, waits: bool) -> (Inbox, Outlet) {
    let shared = Arc::new(Shared {
        state: Mutex::default(),
        unread: AtomicUsize::new(0),
        held: AtomicUsize::new(0),
        bound,
        waits,
        room: Notify::new(),
    });
    let outlet = Outlet { shared: shared.clone(), taken: VecDeque::new(), gate: None, held: None };
    (Inbox(shared), outlet)
}

impl Inbox {
    /// Adds messages in order.
    ///
    /// # Errors
    ///
    /// They are more than may wait, and the driver does not. They are added all the same, so that
    /// none is lost.
    pub(crate) fn push(&self, batch: Batch) -> Result<(), RunError> {
        let (unread, waker) = {
            let mut state = self.0.state();
            if state.deaf {
                return Ok(());
            }
            state.queue.extend(batch.pieces);
            state.added += batch.length;
            let unread = self.0.unread.fetch_add(batch.length, Ordering::Relaxed) + batch.length;
            (unread + self.0.held.load(Ordering::Relaxed), state.waker.take())
        };
        waker.into_iter().for_each(Waker::wake);
        match unread > self.0.bound && !self.0.waits {
            true => Err(RunError::Unread { unread, bound: self.0.bound }),
            false => Ok(()),
        }
    }

    /// Waits while much is unread and the consumer reads on, but only for a moment. A consumer that
    /// has read nothing in such a moment is not waited for again until it reads. Waits for as long
    /// as more is unread than may be, if that is wanted.
    pub(crate) async fn room(&self) {
        while self.0.waits && self.0.all_unread() > self.0.bound {
            self.0.room.notified().await;
        }
        let before = self.0.unread.load(Ordering::Relaxed);
        if before <= MUCH || self.0.is_asleep(before) {
            return;
        }
        let has_room = async {
            while self.0.unread.load(Ordering::Relaxed) > MUCH - STEP {
                self.0.room.notified().await;
            }
        };
        let waited = tokio::time::timeout(MOMENT, has_room).await;
        if waited.is_err() && self.0.unread.load(Ordering::Relaxed) == before {
            let mut state = self.0.state();
            state.asleep_at = Some(state.added - before);
        }
    }

    /// No more will come; the consumer gets what there is first, then the error.
    pub(crate) fn end(&self, error: Option<RunError>) {
        let waker = {
            let mut state = self.0.state();
            if !state.ended {
                state.ended = true;
                state.error = error;
            }
            state.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Outlet {
    /// From now on messages pass through this gate.
    #[cfg_attr(not(feature = "sessions"), expect(dead_code, reason = "only stores need it"))]
    pub(crate) fn set_gate(&mut self, gate: impl Gate + 'static) {
        self.gate = Some(Box::new(gate));
    }

    /// The next message.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Next> {
        let next = match self.held.take() {
            Some(next) => next,
            None => std::task::ready!(self.poll_taken(cx)),
        };
        let Some(gate) = &mut self.gate else { return Poll::Ready(next) };
        let message = next.as_ref().and_then(|next| next.as_deref().ok());
        match gate.poll_pass(message, cx) {
            Poll::Ready(None) => Poll::Ready(next),
            pass => {
                self.held = Some(next);
                pass.map(|before| before.map(Ok))
            }
        }
    }

    fn poll_taken(&mut self, cx: &mut Context<'_>) -> Poll<Next> {
        if self.taken.is_empty() {
            // A waker is the user's, so it is cloned and dropped outside of the lock.
            let waker = Some(cx.waker().clone());
            let _old = {
                let state = &mut *self.shared.state();
                std::mem::swap(&mut state.queue, &mut self.taken);
                match (self.taken.is_empty(), state.ended) {
                    (true, true) => return Poll::Ready(state.error.take().map(Err)),
                    (true, false) => std::mem::replace(&mut state.waker, waker),
                    (false, _) => None,
                }
            };
        }
        let Some(piece) = self.taken.front_mut() else { return Poll::Pending };
        let (message, is_last) = piece.next();
        let unread = self.shared.unread.fetch_sub(message.len(), Ordering::Relaxed);
        self.shared.tell_of_room();
        if is_last {
            self.taken.pop_front();
            if unread - message.len() <= MUCH - STEP {
                self.shared.room.notify_one();
            }
        }
        Poll::Ready(Some(Ok(message)))
    }

    /// Counts bytes that were taken as unread.
    pub(crate) fn hold(&self, bytes: usize) {
        self.shared.held.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes that were held are read, or nobody will read them.
    pub(crate) fn release(&self, bytes: usize) {
        self.shared.held.fetch_sub(bytes, Ordering::Relaxed);
        self.shared.tell_of_room();
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        let state = &mut *self.shared.state();
        state.deaf = true;
        state.queue = VecDeque::new();
    }
}

impl Shared {
    /// Bytes that nobody has read.
    fn all_unread(&self) -> usize {
        self.unread.load(Ordering::Relaxed) + self.held.load(Ordering::Relaxed)
    }

    /// Wakes a driver that waits at the bound, once it may read on.
    fn tell_of_room(&self) {
        if self.waits && self.all_unread() <= self.bound {
            self.room.notify_one();
        }
    }

    /// Whether the consumer has read nothing since it was last waited for in vain.
    fn is_asleep(&self, unread: usize) -> bool {
        let state = self.state();
        state.asleep_at == Some(state.added - unread)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
