//! Tasks in the memory of this process.

use std::collections::HashMap;
use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::time::written;
use super::{MOST, POLL, TTL};
use crate::mcp::names::Names;
use crate::mcp::rounds::{Answers, Owner};
use crate::mcp::tasks::{Begun, End, Later, Tasks, Worker};

/// The tasks by their ids, which cannot be guessed.
#[derive(Debug, Default)]
pub(in crate::host) struct InMemory {
    names: Names,
    tasks: Mutex<HashMap<Box<str>, Task>>,
}

#[derive(Debug)]
struct Task {
    owner: Option<Owner>,
    created: SystemTime,
    /// When it was changed last.
    updated: SystemTime,
    state: State,
}

enum State {
    Running(Arc<dyn Worker>),
    Cancelled,
    Ended(End),
}

impl InMemory {
    pub(super) fn begin(&self, owner: Option<Owner>, worker: Arc<dyn Worker>) -> Option<Begun> {
        let now = SystemTime::now();
        let state = State::Running(worker);
        let task = Task { owner, created: now, updated: now, state };
        let id: Box<str> = format!("{:032x}", self.names.next()).into();
        let members = task.members(&id, "working", "");
        let mut tasks = self.lock();
        if tasks.len() >= MOST {
            drop(tasks);
            // A worker is user code.
            drop(task);
            return None;
        }
        tasks.insert(id.clone(), task);
        Some(Begun { id, members })
    }

    pub(super) fn end(&self, id: &str, end: End) {
        self.leave(id, None, State::Ended(end));
    }

    pub(super) fn forget(&self, id: &str) {
        let task = self.lock().remove(id);
        if let Some(State::Running(worker)) = task.map(|task| task.state) {
            worker.stop();
        }
    }

    pub(super) fn get(&self, id: &str, owner: Option<Owner>) -> Option<String> {
        let tasks = self.lock();
        let task = tasks.get(id).filter(|task| task.owner == owner)?;
        let worker = match &task.state {
            State::Running(worker) => worker.clone(),
            State::Cancelled => return Some(task.members(id, "cancelled", "")),
            State::Ended(Ok(result)) => {
                return Some(task.members(id, "completed", &format!(",\"result\":{result}")));
            }
            State::Ended(Err(error)) => {
                return Some(task.members(id, "failed", &format!(",\"error\":{error}")));
            }
        };
        let (created, updated) = (task.created, task.updated);
        drop(tasks);
        let questions = worker.questions();
        Some(match questions {
            None => members(id, "working", created, updated, ""),
            Some(questions) => {
                let questions = format!(",\"inputRequests\":{questions}");
                members(id, "input_required", created, updated, &questions)
            }
        })
    }

    pub(super) fn update(&self, id: &str, owner: Option<Owner>, answers: Answers) -> bool {
        let mut tasks = self.lock();
        let Some(task) = tasks.get_mut(id).filter(|task| task.owner == owner) else { return false };
        if let State::Running(worker) = &task.state {
            let worker = worker.clone();
            task.updated = SystemTime::now();
            drop(tasks);
            worker.answer(answers);
        }
        true
    }

    pub(super) fn cancel(&self, id: &str, owner: Option<Owner>) -> bool {
        match self.leave(id, Some(owner), State::Cancelled) {
            Some(worker) => worker.iter().for_each(|worker| worker.stop()),
            None => return false,
        }
        true
    }

    /// Ends a task of this owner, or of any. Returns the worker of one that has run; `None` if there
    /// is no such task.
    fn leave(
        &self,
        id: &str,
        owner: Option<Option<Owner>>,
        state: State,
    ) -> Option<Option<Arc<dyn Worker>>> {
        let mut tasks = self.lock();
        let task = tasks.get_mut(id)?;
        if owner.is_some_and(|owner| owner != task.owner) {
            return None;
        }
        if !matches!(task.state, State::Running(_)) {
            return Some(None);
        }
        task.updated = SystemTime::now();
        match std::mem::replace(&mut task.state, state) {
            State::Running(worker) => Some(Some(worker)),
            State::Cancelled | State::Ended(_) => Some(None),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Task>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tasks for InMemory {
    fn begin(&self, owner: Option<Owner>, worker: Arc<dyn Worker>) -> Later<'_, Option<Begun>> {
        Box::pin(ready(self.begin(owner, worker)))
    }

    fn end<'a>(&'a self, id: &'a str, end: End) -> Later<'a, ()> {
        self.end(id, end);
        Box::pin(ready(()))
    }

    fn forget<'a>(&'a self, id: &'a str) -> Later<'a, ()> {
        self.forget(id);
        Box::pin(ready(()))
    }

    fn get<'a>(&'a self, id: &'a str, owner: Option<Owner>) -> Later<'a, Option<String>> {
        Box::pin(ready(self.get(id, owner)))
    }

    fn update<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
        answers: Answers,
    ) -> Later<'a, bool> {
        Box::pin(ready(self.update(id, owner, answers)))
    }

    fn cancel<'a>(&'a self, id: &'a str, owner: Option<Owner>) -> Later<'a, bool> {
        Box::pin(ready(self.cancel(id, owner)))
    }
}

impl Task {
    fn members(&self, id: &str, status: &str, more: &str) -> String {
        members(id, status, self.created, self.updated, more)
    }
}

/// The members of a result that has the state of a task.
fn members(id: &str, status: &str, created: SystemTime, updated: SystemTime, more: &str) -> String {
    let (created, updated) = (written(created), written(updated));
    let (ttl, poll) = (TTL.as_millis(), POLL.as_millis());
    format!(
        "\"taskId\":\"{id}\",\"status\":\"{status}\",\"createdAt\":\"{created}\",\
         \"lastUpdatedAt\":\"{updated}\",\"ttlMs\":{ttl},\"pollIntervalMs\":{poll}{more}"
    )
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running(_) => "Running",
            Self::Cancelled => "Cancelled",
            Self::Ended(_) => "Ended",
        })
    }
}
