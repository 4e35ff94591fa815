//! Telling a running tool to stop.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Says whether the call was cancelled, timed out or cut off by shutdown; a clone says the same.
///
/// An `async` tool is simply dropped then, so this is for plain functions, which can only stop by
/// themselves, and for what a tool has started.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    cancelled: AtomicBool,
    waiting: Mutex<Vec<Waker>>,
}

/// The future of [`CancelToken::cancelled`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Cancelled<'a>(&'a CancelToken);

impl CancelToken {
    /// Whether the call was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// Waits until the call is cancelled.
    pub fn cancelled(&self) -> Cancelled<'_> {
        Cancelled(self)
    }

    /// Cancels, for good.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Release);
        let waiting =
            std::mem::take(&mut *self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl Future for Cancelled<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let state = &self.0.0;
        let mut waiting = state.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if state.cancelled.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
            waiting.push(cx.waker().clone());
        }
        Poll::Pending
    }
}
