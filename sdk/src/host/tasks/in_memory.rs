//! Tasks in the memory of this process.

use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use tokio::sync::oneshot;

use super::written::{Status, members};
use crate::mcp::names::Names;
use crate::mcp::protocol::TaskState;
use crate::mcp::rounds::{Answers, Owner};
use crate::mcp::tasks::{Begun, End, Later, TaskBounds, Tasks, Unreachable, Worker};

/// The tasks by their ids, which cannot be guessed.
#[derive(Default)]
pub(in crate::host) struct InMemory {
    bounds: TaskBounds,
    names: Names,
    tasks: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    tasks: HashMap<Box<str>, Task>,
    /// Those that do not run, in the order in which they ended.
    ended: Vec<Box<str>>,
}

struct Task {
    owner: Option<Owner>,
    /// When it was created, and when it was changed last.
    times: [SystemTime; 2],
    state: State,
    /// Tells by its end that the task is forgotten. It wakes somebody, so no lock may be held then.
    _kept: oneshot::Sender<()>,
}

enum State {
    Running(Arc<dyn Worker>),
    Cancelled,
    Ended(End),
}

impl InMemory {
    pub(in crate::host) fn new(bounds: TaskBounds) -> Self {
        Self { bounds, ..Self::default() }
    }

    pub(super) fn begin(&self, owner: Option<Owner>, worker: Arc<dyn Worker>) -> Option<Begun> {
        let times = [SystemTime::now(); 2];
        let id: Box<str> = format!("{:032x}", self.names.next()).into();
        let ttl = self.bounds.ttl;
        let members = members(&id, &Status::Working.members(), times, ttl);
        let (kept, is_kept) = oneshot::channel();
        let task = Task { owner, times, state: State::Running(worker), _kept: kept };
        let mut table = self.lock();
        if table.tasks.len() - table.ended.len() >= self.bounds.running {
            drop(table);
            // A worker is user code.
            drop(task);
            return None;
        }
        table.tasks.insert(id.clone(), task);
        Some(Begun { id, members, ttl, is_kept })
    }

    pub(super) fn ask(&self, id: &str) {
        if let Some(task) = self.lock().tasks.get_mut(id)
            && matches!(task.state, State::Running(_))
        {
            task.times[1] = SystemTime::now();
        }
    }

    pub(super) fn end(&self, id: &str, end: End) {
        // The worker is dropped without the lock.
        let _worker = self.leave(id, None, State::Ended(end));
    }

    pub(super) fn forget(&self, id: &str) {
        let task = {
            let mut table = self.lock();
            if let Some(at) = table.ended.iter().position(|ended| **ended == *id) {
                table.ended.remove(at);
            }
            table.tasks.remove(id)
        };
        if let Some(State::Running(worker)) = task.map(|task| task.state) {
            worker.stop();
        }
    }

    pub(super) fn get(&self, id: &str) -> Option<TaskState> {
        let table = self.lock();
        let task = table.tasks.get(id)?;
        let (owner, times) = (task.owner.as_ref().map(|owner| owner.0.clone()), task.times);
        let status = match &task.state {
            State::Running(worker) => {
                let worker = worker.clone();
                drop(table);
                Status::of_questions(worker.questions().as_deref()).members()
            }
            State::Cancelled => Status::Cancelled.members(),
            State::Ended(end) => Status::of_end(end).members(),
        };
        let members = members(id, &status, times, self.bounds.ttl);
        Some(TaskState { id: id.into(), owner, members })
    }

    pub(super) fn update(&self, id: &str, owner: Option<Owner>, answers: &Answers) -> bool {
        let worker = {
            let table = self.lock();
            let Some(task) = table.tasks.get(id).filter(|task| task.owner == owner) else {
                return false;
            };
            match &task.state {
                State::Running(worker) => Some(worker.clone()),
                State::Cancelled | State::Ended(_) => None,
            }
        };
        if let Some(worker) = worker {
            worker.answer(answers);
        }
        true
    }

    pub(super) fn cancel(&self, id: &str, owner: Option<Owner>) -> Option<bool> {
        let worker = self.leave(id, Some(owner), State::Cancelled)?;
        if let Some(worker) = &worker {
            worker.stop();
        }
        Some(worker.is_some())
    }

    /// Ends a task of this owner, or of any. Returns the worker of one that has run; `None` if
    /// there is no such task.
    fn leave(
        &self,
        id: &str,
        owner: Option<Option<Owner>>,
        state: State,
    ) -> Option<Option<Arc<dyn Worker>>> {
        // Dropped after the lock is released.
        let _oldest;
        let mut table = self.lock();
        let task = table.tasks.get_mut(id)?;
        if owner.is_some_and(|owner| owner != task.owner) {
            return None;
        }
        if !matches!(task.state, State::Running(_)) {
            return Some(None);
        }
        task.times[1] = SystemTime::now();
        let before = std::mem::replace(&mut task.state, state);
        table.ended.push(id.into());
        if table.ended.len() > self.bounds.ended() {
            let oldest = table.ended.remove(0);
            _oldest = table.tasks.remove(&oldest);
        }
        match before {
            State::Running(worker) => Some(Some(worker)),
            State::Cancelled | State::Ended(_) => Some(None),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tasks for InMemory {
    fn begin(&self, owner: Option<Owner>, worker: Arc<dyn Worker>) -> Later<'_, Option<Begun>> {
        Box::pin(ready(self.begin(owner, worker)))
    }

    fn ask<'a>(&'a self, id: &'a str) -> Later<'a, ()> {
        self.ask(id);
        Box::pin(ready(()))
    }

    fn end<'a>(&'a self, id: &'a str, end: End) -> Later<'a, ()> {
        self.end(id, end);
        Box::pin(ready(()))
    }

    fn forget<'a>(&'a self, id: &'a str) -> Later<'a, ()> {
        self.forget(id);
        Box::pin(ready(()))
    }

    fn get<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<TaskState>, Unreachable>> {
        Box::pin(ready(Ok(self.get(id))))
    }

    fn update<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
        answers: &'a Answers,
    ) -> Later<'a, Result<bool, Unreachable>> {
        Box::pin(ready(Ok(self.update(id, owner, answers))))
    }

    fn cancel<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
    ) -> Later<'a, Result<Option<bool>, Unreachable>> {
        Box::pin(ready(Ok(self.cancel(id, owner))))
    }
}
