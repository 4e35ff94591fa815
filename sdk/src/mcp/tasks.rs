//! Calls that go on as tasks, whose clients ask for the results.

#![cfg_attr(not(feature = "host"), expect(dead_code, reason = "hosts make tasks"))]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use super::protocol::TaskState;
use super::rounds::{Answers, Owner};

/// The tasks of a registry, of all its sessions. An owner is `None` where clients are not told
/// apart; to others than its owner a task is unknown.
pub(crate) trait Tasks: Send + Sync {
    /// Adds a task for a running call; `None` if there are too many, or it cannot be stored.
    fn begin(&self, owner: Option<Owner>, worker: Arc<dyn Worker>) -> Later<'_, Option<Begun>>;

    /// The open questions of a running task have changed.
    fn ask<'a>(&'a self, id: &'a str) -> Later<'a, ()>;

    /// Adds the end of a task, if it was not cancelled.
    fn end<'a>(&'a self, id: &'a str, end: End) -> Later<'a, ()>;

    /// Removes a task, and stops it if it runs.
    fn forget<'a>(&'a self, id: &'a str) -> Later<'a, ()>;

    /// The state of a task, whoever owns it.
    fn get<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<TaskState>, Unreachable>>;

    /// Answers questions of a task. Returns whether there is such a task.
    fn update<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
        answers: &'a Answers,
    ) -> Later<'a, Result<bool, Unreachable>>;

    /// Cancels a task. Returns false if it has ended already, and `None` if there is no such task.
    fn cancel<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
    ) -> Later<'a, Result<Option<bool>, Unreachable>>;
}

/// What may take a while, as a task may be elsewhere.
pub(crate) type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What stores the tasks cannot be reached now.
#[derive(Debug)]
pub(crate) struct Unreachable;

/// The running call of a task.
pub(crate) trait Worker: Send + Sync {
    /// Its open questions, as the JSON text of an object.
    fn questions(&self) -> Option<String>;

    fn answer(&self, answers: &Answers);

    fn stop(&self);
}

/// A new task.
pub(crate) struct Begun {
    pub(crate) id: Box<str>,
    /// The members of the result that announces it.
    pub(crate) members: String,
    /// How long it may be kept.
    pub(crate) ttl: Duration,
    /// Is closed once nothing has to be forgotten of the task.
    pub(crate) is_kept: oneshot::Receiver<()>,
}

/// The bounds of the tasks of a registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskBounds {
    /// How long clients may ask for a task, from its beginning.
    pub(crate) ttl: Duration,
    /// How many run at once.
    pub(crate) running: usize,
}

/// The JSON text of the result of a task, or of its error.
pub(crate) type End = Result<String, String>;

/// The permission of a call to go on as a task: its client supports that.
#[derive(Clone)]
pub(crate) struct Permit {
    pub(crate) tasks: Arc<dyn Tasks>,
    pub(crate) owner: Option<Owner>,
}

impl TaskBounds {
    /// How many tasks that have ended are kept for their clients.
    pub(crate) fn ended(self) -> usize {
        self.running.saturating_mul(3)
    }
}

impl Default for TaskBounds {
    fn default() -> Self {
        Self { ttl: Duration::from_secs(3_600), running: 64 }
    }
}
