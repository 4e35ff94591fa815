//! The calls of a session that are not answered: running and waiting ones.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::AbortHandle;

use super::limits::Limits;
use super::queue::Queue;
use crate::mcp::call::Subject;
use crate::mcp::tasks::Tasks;
use crate::mcp::{CallId, CancelToken, Run};

/// Calls by their numbers. The caller stops or drops what the methods return, once it holds no
/// lock.
#[derive(Default)]
pub(super) struct Table {
    /// Admitted calls that were not done at once.
    running: HashMap<u64, Running>,
    /// How many of them go on as tasks, which have a bound of their own.
    promoted: usize,
    /// Calls that wait for other calls to end.
    waiting: Queue,
    /// The calls of `running` that wait for a thread.
    for_threads: Queue,
    /// How many threads will ask for a call of `for_threads`: at least as many as it has, and more
    /// if calls were cancelled.
    tickets: usize,
}

/// How to stop a call.
#[derive(Default)]
pub(super) struct Running {
    pub(super) task: Option<AbortHandle>,
    pub(super) timer: Option<AbortHandle>,
    pub(super) cancel: Option<CancelToken>,
    /// Makes it a task.
    pub(super) promotion: Option<AbortHandle>,
    /// Its runner, while it has a thread or waits for one: there may be nobody else who keeps it.
    pub(super) runner: Option<Arc<dyn Send + Sync>>,
    /// If it goes on as a task.
    promoted: Option<Box<Promoted>>,
}

/// The task that an answered call goes on as.
pub(super) struct Promoted {
    pub(super) tasks: Arc<dyn Tasks>,
    pub(super) id: Box<str>,
    /// What it calls.
    pub(super) subject: Option<Arc<dyn Subject>>,
}

/// What remains of a call that must stop.
#[must_use = "it is stopped once no lock is held"]
#[derive(Default)]
pub(super) struct Stopped {
    running: Option<Running>,
    run: Option<Run>,
}

impl Table {
    /// True if another call may start.
    pub(super) fn is_free(&self, limits: &Limits) -> bool {
        self.running.len() - self.promoted < limits.max_running.max(1)
    }

    /// True if another call may wait.
    pub(super) fn has_room(&self, limits: &Limits) -> bool {
        self.waiting.bytes() <= limits.max_waiting
            && self.waiting.len() < limits.max_waiting_calls.max(1)
    }

    /// Records how an admitted call is stopped.
    pub(super) fn admit(&mut self, number: u64) -> &mut Running {
        self.running.entry(number).or_default()
    }

    /// Notes that a call goes on as a task.
    pub(super) fn promote(&mut self, number: u64, task: Promoted) {
        self.admit(number).promoted = Some(Box::new(task));
        self.promoted += 1;
    }

    /// True if this call goes on as a task.
    pub(super) fn is_promoted(&self, call: &CallId) -> bool {
        self.running.get(&call.number()).is_some_and(|running| running.promoted.is_some())
    }

    pub(super) fn wait(&mut self, run: Run, bytes: usize) {
        self.waiting.push(run, bytes);
    }

    /// The next waiting call.
    pub(super) fn next(&mut self) -> Option<Run> {
        self.waiting.pop()
    }

    /// Adds a call that waits for a thread. Returns whether another thread must ask for one.
    pub(super) fn wait_for_thread(&mut self, run: Run) -> bool {
        self.for_threads.push(run, 0);
        let needs_ticket = self.tickets < self.for_threads.len();
        self.tickets += usize::from(needs_ticket);
        needs_ticket
    }

    /// The call for a thread that asks.
    pub(super) fn take_for_thread(&mut self) -> Option<Run> {
        self.tickets = self.tickets.saturating_sub(1);
        self.for_threads.pop()
    }

    /// Removes a call that has ended; `None` if it was not in the table.
    pub(super) fn remove(&mut self, number: u64) -> Option<Running> {
        if self.running.is_empty() {
            return None;
        }
        let running = self.running.remove(&number)?;
        self.promoted -= usize::from(running.promoted.is_some());
        Some(running)
    }

    /// Removes a call that must stop, from wherever it is.
    pub(super) fn stop(&mut self, number: u64) -> Stopped {
        let running = self.remove(number);
        let run = self.waiting.take(number).or_else(|| self.for_threads.take(number));
        Stopped { running, run }
    }

    #[cfg(test)]
    pub(super) fn left(&self) -> [usize; 4] {
        let Self { running, waiting, for_threads, .. } = self;
        [running.len(), waiting.len(), waiting.bytes(), for_threads.len()]
    }

    pub(super) fn stop_all(&mut self) -> Vec<Stopped> {
        let mut all = Vec::new();
        while let Some(run) = self.waiting.pop().or_else(|| self.for_threads.pop()) {
            all.push(Stopped { running: None, run: Some(run) });
        }
        self.promoted = 0;
        for (_, running) in std::mem::take(&mut self.running) {
            all.push(Stopped { running: Some(running), run: None });
        }
        all
    }
}

impl Running {
    /// The task that the call went on as.
    pub(super) fn take_promoted(&mut self) -> Option<Promoted> {
        self.promoted.take().map(|promoted| *promoted)
    }
}

impl Stopped {
    /// What remains of a call that is done: its time-out, and the runner that it has kept.
    pub(super) fn done(running: Running) -> Self {
        Self { running: Some(Running { task: None, cancel: None, ..running }), run: None }
    }

    /// The task that the call went on as.
    pub(super) fn take_promoted(&mut self) -> Option<Promoted> {
        self.running.as_mut()?.take_promoted()
    }

    /// Notes, for its span, that the call has timed out.
    pub(super) fn set_timed_out(&self) {
        if let Some(Running { cancel: Some(cancel), .. }) = &self.running {
            cancel.set_timed_out();
        }
    }

    /// Drops an `async` tool; cancels the token of a plain function.
    pub(super) fn stop(self) {
        let Self { running, run } = self;
        if let Some(Running { task, timer, cancel, promotion, promoted: _, runner }) = running {
            abort(task);
            abort(timer);
            abort(promotion);
            if let Some(cancel) = cancel {
                cancel.cancel();
            }
            drop(runner);
        }
        drop(run);
    }
}

/// Stops what has been spawned, if it was.
pub(super) fn abort(spawned: Option<AbortHandle>) {
    if let Some(spawned) = spawned {
        spawned.abort();
    }
}
