//! Threads for plain functions. Nothing waits for them at the end, while a runtime's own pool would
//! delay its shutdown.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

/// How long a thread waits for more to do.
const IDLE: Duration = Duration::from_secs(10);
/// So many tickets are kept before those of what is gone are looked for.
const FEW: usize = 64;

/// Threads that runners may share. They end once the last clone is dropped and nothing waits.
#[derive(Clone)]
pub(crate) struct Threads(Arc<Owner>);

/// Whose drop ends the threads: the threads themselves hold the pool only.
struct Owner(Arc<Pool>);

/// Something that has work for a thread.
pub(super) trait Work: Send + Sync {
    /// Does one piece of the work, if any is left.
    fn work(self: Arc<Self>);

    /// Has one piece of it done by others, as there is no thread.
    fn work_elsewhere(self: Arc<Self>);
}

struct Pool {
    most: usize,
    /// How long a thread waits for more to do.
    patience: Duration,
    /// Starts a thread; tests have one that fails.
    start: fn(Arc<Self>) -> io::Result<()>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// One ticket for each piece of work; the work itself may be withdrawn meanwhile. A ticket does
    /// not keep its runner alive.
    tickets: VecDeque<Weak<dyn Work>>,
    /// At so many tickets those whose runner is gone are removed.
    many: usize,
    running: usize,
    /// What wakes each thread that waits. The last to wait is the first to be woken: who is not
    /// needed waits on until it ends, and the others have their memory at hand.
    idle: Vec<Arc<Condvar>>,
    /// Threads that were started or woken and have not looked for a ticket since.
    coming: usize,
    is_closed: bool,
}

impl Threads {
    /// At most `most` threads at once, and at least one.
    pub(crate) fn new(most: usize) -> Self {
        Self::of(Pool::new(most))
    }

    fn of(pool: Pool) -> Self {
        Self(Arc::new(Owner(Arc::new(pool))))
    }

    /// Has one piece of work done by a thread, or elsewhere if the system has none.
    pub(super) fn add(&self, work: Weak<dyn Work>) {
        let pool = &self.0.0;
        let mut state = pool.lock();
        if state.tickets.len() >= state.many {
            state.tickets.retain(|ticket| ticket.strong_count() > 0);
            state.many = 2 * state.tickets.len() + FEW;
        }
        state.tickets.push_back(work);
        if state.tickets.len() <= state.coming {
            return;
        }
        if let Some(thread) = state.idle.pop() {
            state.coming += 1;
            thread.notify_one();
            return;
        }
        if state.running >= pool.most {
            return;
        }
        state.running += 1;
        state.coming += 1;
        drop(state);
        let Err(error) = (pool.start)(pool.clone()) else { return };
        for work in pool.left().iter().filter_map(Weak::upgrade) {
            work.work_elsewhere();
        }
        tracing::error!(%error, "no thread can be started for a tool");
    }
}

impl Pool {
    fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            patience: IDLE,
            start: |pool| {
                let thread = thread::Builder::new().name("toolwright-tool".into());
                thread.spawn(move || pool.run()).map(drop)
            },
            state: Mutex::default(),
        }
    }

    /// The tickets that nobody will take now that a thread could not be started. The other threads
    /// take them, if there are any. If none could be started either, each ticket may have counted
    /// on the thread of another one.
    fn left(&self) -> VecDeque<Weak<dyn Work>> {
        let mut state = self.lock();
        state.running -= 1;
        state.coming -= 1;
        match state.running {
            0 => std::mem::take(&mut state.tickets),
            _ => VecDeque::new(),
        }
    }

    fn run(&self) {
        let wakes = Arc::new(Condvar::new());
        self.lock().coming -= 1;
        while let Some(work) = self.next(&wakes) {
            work.work();
        }
    }

    /// The next work for a thread; `None` if the thread must end.
    fn next(&self, wakes: &Arc<Condvar>) -> Option<Arc<dyn Work>> {
        let mut state = self.lock();
        let mut is_late = false;
        loop {
            while let Some(ticket) = state.tickets.pop_front() {
                if let Some(work) = ticket.upgrade() {
                    return Some(work);
                }
            }
            if state.is_closed || is_late {
                state.running -= 1;
                return None;
            }
            state.idle.push(wakes.clone());
            let woken = wakes.wait_timeout(state, self.patience);
            let (locked, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
            state = locked;
            match state.idle.iter().position(|it| Arc::ptr_eq(it, wakes)) {
                Some(at) => drop(state.idle.remove(at)),
                // It was woken for work, or as the pool is closed.
                None => state.coming -= 1,
            }
            is_late = timeout.timed_out();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        state.coming += state.idle.len();
        state.idle.drain(..).for_each(|thread| thread.notify_one());
    }
}

#[cfg(test)]
mod tests;
