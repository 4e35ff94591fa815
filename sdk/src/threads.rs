//! Threads for plain functions. They are ours, and nobody waits for them at the end: a runtime's
//! own pool would hold up its shutdown.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a thread waits for more to do.
const IDLE: Duration = Duration::from_secs(10);

/// What a thread does.
pub type Job = Box<dyn FnOnce() + Send>;

/// The threads of one server or run.
pub struct Threads {
    state: Mutex<State>,
    work: Condvar,
    most: usize,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

impl Threads {
    /// At most `most` threads at once, and at least one.
    pub fn new(most: usize) -> Self {
        Self { state: Mutex::default(), work: Condvar::new(), most: most.max(1) }
    }

    /// Runs a job as soon as a thread is free. Where there is no thread at all and none can be
    /// started, the job comes back.
    pub fn execute(self: &Arc<Self>, job: Job) -> Option<Job> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.jobs.push_back(job);
        if state.idle >= state.jobs.len() || state.threads >= self.most {
            self.work.notify_one();
            return None;
        }
        state.threads += 1;
        let threads = self.clone();
        let started =
            thread::Builder::new().name("toolwright-tool".into()).spawn(move || threads.serve());
        let error = started.err()?;
        tracing::error!(%error, "no thread can be started for a tool");
        state.threads -= 1;
        if state.threads == 0 { state.jobs.pop_back() } else { None }
    }

    fn serve(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(job) = state.jobs.pop_front() {
                drop(state);
                // A job that panics must not cost the thread, which would be missing for ever.
                if catch_unwind(AssertUnwindSafe(job)).is_err() {
                    tracing::error!("what a tool's thread had to do panicked");
                }
                state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.idle += 1;
            let (woken, timeout) =
                self.work.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if timeout.timed_out() && state.jobs.is_empty() {
                state.threads -= 1;
                return;
            }
        }
    }
}

impl std::fmt::Debug for Threads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Threads").field("most", &self.most).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_job_that_panics_costs_no_thread() {
        let threads = Arc::new(Threads::new(1));
        let (done, jobs) = channel();
        assert!(threads.execute(Box::new(|| panic!("a job that panics"))).is_none());
        assert!(threads.execute(Box::new(move || done.send(()).unwrap())).is_none());
        jobs.recv_timeout(IDLE).unwrap();
    }
}
