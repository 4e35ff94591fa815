//! Cancellation of running tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use crate::panics;

/// True once the call was cancelled, timed out or ended by shutdown. Clones share one state.
///
/// ```
/// use toolwright::{CancelToken, tool};
///
/// #[tool]
/// fn count(to: u64, cancel: CancelToken) -> u64 {
///     (0..to).take_while(|_| !cancel.is_cancelled()).count() as u64
/// }
/// ```
///
/// An `async` tool is dropped when its call ends early. So this is for plain functions, which must
/// stop by themselves, and for work that a tool has started elsewhere.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    has_timed_out: AtomicBool,
    /// Somebody has waited for it.
    is_awaited: AtomicBool,
    changed: Notify,
}

impl CancelToken {
    /// True once the call was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Acquire)
    }

    /// Waits until the call is cancelled.
    pub async fn cancelled(&self) {
        self.0.is_awaited.store(true, Ordering::Relaxed);
        self.until_cancelled().await;
    }

    /// Like [`CancelToken::cancelled`], but does not count as waiting.
    pub(crate) async fn until_cancelled(&self) {
        let changed = self.0.changed.notified();
        if !self.is_cancelled() {
            changed.await;
        }
    }

    /// Whether anybody has waited with [`CancelToken::cancelled`].
    #[cfg(feature = "agent")]
    pub(crate) fn is_awaited(&self) -> bool {
        self.0.is_awaited.load(Ordering::Relaxed)
    }

    /// Waits for the next [`CancelToken::cancel`], although it may be cancelled already.
    #[cfg(feature = "host")]
    pub(crate) fn cancelled_again(&self) -> impl Future<Output = ()> {
        self.0.changed.notified()
    }

    /// Notes that a [`CancelToken::cancel`] that follows is due to the call's time-out.
    #[cfg(feature = "host")]
    pub(crate) fn set_timed_out(&self) {
        self.0.has_timed_out.store(true, Ordering::Release);
    }

    /// True if the call has timed out.
    pub(crate) fn has_timed_out(&self) -> bool {
        self.0.has_timed_out.load(Ordering::Acquire)
    }

    /// Cancels permanently and wakes waiting tasks, so no lock may be held. Catches their panics.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Release);
        let _ = panics::catch(|| self.0.changed.notify_waiters());
    }
}

#[cfg(test)]
mod tests;
