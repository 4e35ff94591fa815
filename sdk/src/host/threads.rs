//! Threads for plain functions. Nothing waits for them at the end, while a runtime's own pool would
//! delay its shutdown.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a thread waits for more to do.
const IDLE: Duration = Duration::from_secs(10);

/// The threads of one runner, whose lock also guards the counts. The docs of each method say how it
/// needs that lock.
pub(super) struct Threads {
    most: usize,
    running: AtomicUsize,
    idle: AtomicUsize,
    work: Condvar,
    is_closed: AtomicBool,
}

impl Threads {
    /// At most `most` threads at once, and at least one.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            running: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            work: Condvar::new(),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Wakes a thread for `waiting` calls. Returns whether another one must be
    /// [started](Threads::start), and counts it then. The runner's lock is held.
    pub(super) fn are_needed(&self, waiting: usize) -> bool {
        self.work.notify_one();
        let (running, idle) =
            (self.running.load(Ordering::SeqCst), self.idle.load(Ordering::SeqCst));
        let is_needed = idle < waiting && running < self.most;
        self.running.fetch_add(usize::from(is_needed), Ordering::SeqCst);
        is_needed
    }

    pub(super) fn start(&self, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let started = thread::Builder::new().name("toolwright-tool".into()).spawn(work);
        if started.is_err() {
            self.running.fetch_sub(1, Ordering::SeqCst);
        }
        started.map(drop)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.load(Ordering::SeqCst) == 0
    }

    /// The next item for a thread; `None` if the thread must end.
    pub(super) fn next<S, T>(
        &self,
        mut state: MutexGuard<'_, S>,
        take: impl Fn(&mut S) -> Option<T>,
    ) -> Option<T> {
        loop {
            if let Some(next) = take(&mut state) {
                return Some(next);
            }
            if self.is_closed.load(Ordering::SeqCst) {
                break;
            }
            self.idle.fetch_add(1, Ordering::SeqCst);
            let woken = self.work.wait_timeout(state, IDLE);
            let (locked, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
            state = locked;
            self.idle.fetch_sub(1, Ordering::SeqCst);
            if timeout.timed_out() {
                if let Some(next) = take(&mut state) {
                    return Some(next);
                }
                break;
            }
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        None
    }

    /// Ends the threads once they have nothing to do. The runner's lock is held.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.work.notify_all();
    }
}
