//! Tasks that are stored when the test wants it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use crate::host::tasks::InMemory;
use crate::mcp::protocol::TaskState;
use crate::mcp::rounds::{Answers, Owner};
use crate::mcp::tasks::{Begun, End, Later, Tasks, Unreachable, Worker};

/// Where something waits until the test lets it pass.
#[derive(Debug)]
pub(super) struct Gate {
    reached: Semaphore,
    passes: Semaphore,
}

/// Tasks that are stored when the test wants it.
#[derive(Default)]
pub(super) struct Gated {
    tasks: InMemory,
    pub(super) begin: Gate,
    pub(super) end: Gate,
    /// No task can be stored.
    pub(super) is_away: AtomicBool,
    /// How often questions were stored.
    pub(super) asked: AtomicUsize,
    /// Of the last task.
    pub(super) id: Mutex<String>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { reached: Semaphore::new(0), passes: Semaphore::new(0) }
    }
}

impl Gate {
    async fn pass(&self) {
        self.reached.add_permits(1);
        self.passes.acquire().await.unwrap().forget();
    }

    pub(super) async fn reached(&self) {
        self.reached.acquire().await.unwrap().forget();
    }

    pub(super) fn open(&self) {
        self.passes.add_permits(1);
    }
}

impl Tasks for Gated {
    fn begin(&self, owner: Option<Owner>, worker: Arc<dyn Worker>) -> Later<'_, Option<Begun>> {
        Box::pin(async {
            let begun = Tasks::begin(&self.tasks, owner, worker).await?;
            *self.id.lock().unwrap() = begun.id.to_string();
            self.begin.pass().await;
            (!self.is_away.load(Ordering::SeqCst)).then_some(begun)
        })
    }

    fn ask<'a>(&'a self, id: &'a str) -> Later<'a, ()> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Tasks::ask(&self.tasks, id)
    }

    fn end<'a>(&'a self, id: &'a str, end: End) -> Later<'a, ()> {
        Box::pin(async {
            self.end.pass().await;
            Tasks::end(&self.tasks, id, end).await;
        })
    }

    fn forget<'a>(&'a self, id: &'a str) -> Later<'a, ()> {
        Tasks::forget(&self.tasks, id)
    }

    fn get<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<TaskState>, Unreachable>> {
        Tasks::get(&self.tasks, id)
    }

    fn update<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
        answers: &'a Answers,
    ) -> Later<'a, Result<bool, Unreachable>> {
        Tasks::update(&self.tasks, id, owner, answers)
    }

    fn cancel<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
    ) -> Later<'a, Result<Option<bool>, Unreachable>> {
        Tasks::cancel(&self.tasks, id, owner)
    }
}
