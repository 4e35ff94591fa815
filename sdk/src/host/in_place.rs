//! Runs a call on a thread that waits for it.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::mcp::{CallId, Done, Run};

/// Runs a plain function to its end; `None` if its call was cancelled or answered while a layer
/// waited, as `is_running` says then.
pub(super) fn run_in_place(run: Run, is_running: impl Fn(&CallId) -> bool) -> Option<Done> {
    let mut run = pin!(run);
    // A plain function has no point at which it could wait: one poll runs all of it.
    if let Poll::Ready(done) = run.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        return Some(done);
    }
    // A layer around it may wait. This is not `block_on` of a runtime, within which the function
    // could not call `block_on` itself.
    let cancel = run.cancel_token()?.clone();
    let thread = Arc::new(Parked { thread: thread::current(), is_woken: AtomicBool::new(false) });
    let waker = Waker::from(thread.clone());
    let mut context = Context::from_waker(&waker);
    loop {
        // A tool may cancel the token as well, which does not end its call.
        let mut cancelled = pin!(cancel.cancelled_again());
        if !is_running(run.id()) {
            return None;
        }
        while cancelled.as_mut().poll(&mut context).is_pending() {
            if let Poll::Ready(done) = run.as_mut().poll(&mut context) {
                return Some(done);
            }
            // What has been polled may have parked the thread too, and used up the wake-up.
            while !thread.is_woken.swap(false, Ordering::Acquire) {
                thread::park();
            }
        }
    }
}

/// A thread that parks until it is woken.
struct Parked {
    thread: Thread,
    is_woken: AtomicBool,
}

impl Wake for Parked {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}
