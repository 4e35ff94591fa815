//! Keeps the input being read: when a tool blocks the reader's thread for more than a few
//! milliseconds in one poll, another thread takes over.
//!
//! The reader records when a poll begins and when it ends. The sentinel looks every few
//! milliseconds; a poll that it sees twice is too long, and another reader takes over. One atomic
//! number decides which of the two is first, so that a quick poll costs no lock and no system call.
//! The sentinel sleeps only while the reader waits for bytes, so that no poll needs to wake it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

/// How often the sentinel looks.
const TICK: Duration = Duration::from_millis(3);
/// After this many looks without a poll, it sleeps while the reader waits for bytes.
const IDLE_TICKS: u32 = 300;

#[derive(Default)]
pub(crate) struct Sentinel {
    /// The number of the reader's current poll, or 0.
    polling: AtomicU64,
    /// The reader waits for bytes.
    resting: AtomicBool,
    /// The watching thread sleeps.
    asleep: AtomicBool,
    started: AtomicBool,
    stopped: AtomicBool,
    thread: OnceLock<Thread>,
}

impl Sentinel {
    /// Watches until it is stopped. Calls `overtake` when another reader must take over, but not
    /// while `may_overtake` returns false.
    pub(crate) fn watch(&self, may_overtake: impl Fn() -> bool, overtake: impl Fn()) {
        // A second thread has nothing to do.
        if self.thread.set(thread::current()).is_err() {
            return;
        }
        let (mut last, mut idle) = (0, 0);
        while !self.stopped.load(Ordering::SeqCst) {
            thread::park_timeout(TICK);
            let now = self.polling.load(Ordering::SeqCst);
            if now != 0
                && now == last
                && may_overtake()
                && self.polling.compare_exchange(now, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
            {
                overtake();
            }
            idle = if now == 0 && last == 0 { idle + 1 } else { 0 };
            last = now;
            if idle > IDLE_TICKS {
                self.sleep();
            }
        }
    }

    /// Ends the watching thread.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.thread.get().into_iter().for_each(Thread::unpark);
    }

    /// The reader waits for bytes in `read`.
    pub(crate) fn rest<T>(&self, read: impl FnOnce() -> T) -> T {
        self.resting.store(true, Ordering::SeqCst);
        let value = read();
        self.resting.store(false, Ordering::SeqCst);
        if self.asleep.load(Ordering::SeqCst) {
            self.thread.get().into_iter().for_each(Thread::unpark);
        }
        value
    }

    /// The reader begins poll number `poll`, which is unique and not 0. `start` starts the watching
    /// thread.
    pub(crate) fn enter(&self, poll: u64, start: impl FnOnce()) {
        self.polling.store(poll, Ordering::Release);
        if !self.started.load(Ordering::Relaxed) && !self.started.swap(true, Ordering::Relaxed) {
            start();
        }
    }

    /// The watching thread could not be started; the next poll tries again.
    pub(crate) fn unstarted(&self) {
        self.started.store(false, Ordering::Relaxed);
    }

    /// The poll has ended; returns whether this thread is still the reader.
    pub(crate) fn leave(&self, poll: u64) -> bool {
        self.polling.compare_exchange(poll, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    fn sleep(&self) {
        self.asleep.store(true, Ordering::SeqCst);
        while self.resting.load(Ordering::SeqCst) && !self.stopped.load(Ordering::SeqCst) {
            thread::park();
        }
        self.asleep.store(false, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests;
