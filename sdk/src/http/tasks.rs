//! The tasks of all replicas of a server, in Redis.

mod store;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::RedisError;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::sleep;

use self::store::{Pulse, Row, Store};
use super::bus::BadRedisUrl;
use crate::host::tasks::Status;
use crate::mcp::protocol::TaskState;
use crate::mcp::rounds::{Answers, Owner};
use crate::mcp::tasks::{Begun, End, Later, TaskBounds, Tasks, Unreachable, Worker};

/// How often the replica that runs a task says so, and looks for answers.
const BEAT: Duration = Duration::from_secs(1);

/// The tasks of a server in Redis, version 6 or newer, or in Valkey (feature `redis`), so that any
/// replica answers `tasks/get`, `tasks/update` and `tasks/cancel`.
///
/// ```no_run
/// use toolwright::http::{Options, RedisTasks};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut options = Options::default();
/// options.tasks = Some(RedisTasks::open("redis://127.0.0.1:6379", "calc")?);
/// # Ok(())
/// # }
/// ```
///
/// A task runs on the replica that has begun it. An answer or a cancellation that another replica
/// has taken reaches it within a second. If that replica is killed, the task has failed 30 seconds
/// later, for a client that asks meanwhile. Results and questions are stored as long as
/// [`ToolRegistryBuilder::task_ttl`](crate::ToolRegistryBuilder::task_ttl) says, under keys that
/// begin with a prefix of the server's own.
///
/// While Redis cannot be reached, no call becomes a task, requests about tasks are answered with
/// error -32603, and tasks that run go on: their questions and results are stored once it can be
/// reached. If it has lost its data then, tasks that run are known again a second later; those that
/// have ended are unknown.
///
/// A client that listens for a task at another replica is notified of its changes if there is a
/// [`Bus`](super::Bus) too.
///
/// For `rediss://` add the crate `redis` 1 with its feature `tokio-rustls-comp` to your program.
#[derive(Clone)]
pub struct RedisTasks {
    shared: Arc<Shared>,
    bounds: TaskBounds,
}

struct Shared {
    store: Store,
    /// The tasks that this replica runs.
    running: Mutex<HashMap<Box<str>, Running>>,
    runtime: Handle,
}

struct Running {
    worker: Arc<dyn Worker>,
    /// What keeps the task alive in Redis.
    pulse: Option<AbortHandle>,
    /// Tells by its end that nothing of the task is left here.
    _kept: oneshot::Sender<()>,
}

impl RedisTasks {
    /// The tasks of the server whose keys begin with `prefix`, at a `url` such as
    /// `redis://user:password@host:6379`. It connects when it is needed.
    ///
    /// # Errors
    ///
    /// This is no such URL.
    ///
    /// # Panics
    ///
    /// There is no tokio runtime here.
    pub fn open(url: &str, prefix: &str) -> Result<Self, BadRedisUrl> {
        let store = Store::new(url, prefix).map_err(BadRedisUrl)?;
        let (running, runtime) = (Mutex::default(), Handle::current());
        let shared = Arc::new(Shared { store, running, runtime });
        Ok(Self { shared, bounds: TaskBounds::default() })
    }

    /// The same tasks, within the bounds of their registry.
    pub(super) fn within(self, bounds: TaskBounds) -> Self {
        Self { bounds, ..self }
    }
}

impl Shared {
    async fn begin(
        self: &Arc<Self>,
        owner: Option<Owner>,
        worker: Arc<dyn Worker>,
        bounds: TaskBounds,
    ) -> Option<Begun> {
        let id: Box<str> = self.store.name().into();
        let (kept, is_kept) = oneshot::channel();
        let running = Running { worker, pulse: None, _kept: kept };
        let refused = {
            let mut table = self.lock();
            match table.len() < bounds.running {
                true => table.insert(id.clone(), running),
                false => Some(running),
            }
        };
        if refused.is_some() {
            return None;
        }
        let row = Row::new(owner, bounds.ttl);
        if let Err(error) = self.store.insert(&id, &row, 0).await {
            tracing::warn!(%error, "a call does not go on as a task");
            drop(self.take(&id));
            return None;
        }
        let pulse = self.runtime.spawn(self.clone().keep(id.clone(), row.clone())).abort_handle();
        match self.lock().get_mut(&id) {
            Some(running) => running.pulse = Some(pulse),
            // It has ended already.
            None => pulse.abort(),
        }
        Some(Begun { members: row.state(&id).members, id, ttl: bounds.ttl, is_kept })
    }

    /// Says that the task runs here as long as it does, and gives it what other replicas have for
    /// it.
    async fn keep(self: Arc<Self>, id: Box<str>, mut row: Row) {
        let mut got = 0;
        loop {
            sleep(BEAT).await;
            let Some(worker) = self.worker(&id) else { return };
            match self.store.beat(&id, &mut got).await {
                Ok(Pulse::Ended) => {
                    drop(self.take(&id));
                    worker.stop();
                    return;
                }
                Ok(Pulse::Unknown) => {
                    row.ask(worker.questions().as_deref());
                    if let Err(error) = self.store.insert(&id, &row, got).await {
                        tracing::debug!(%error, "a task is not stored again yet");
                    }
                }
                Ok(Pulse::Answers(answers)) => {
                    answers.iter().for_each(|answers| worker.answer(answers));
                }
                Err(error) => tracing::debug!(%error, "a task cannot be kept in Redis now"),
            }
        }
    }

    async fn ask(&self, id: &str) {
        while let Some(worker) = self.worker(id) {
            let questions = worker.questions();
            let status = Status::of_questions(questions.as_deref());
            // Nobody would answer questions that are not stored.
            match self.store.update(id, status, false).await {
                // Another one may have stored newer questions, and before these.
                Ok(Some(_)) if worker.questions() != questions => continue,
                Ok(Some(_)) => return,
                // The pulse stores the task again.
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, "the questions of a task are not stored yet");
                }
            }
            drop(worker);
            sleep(BEAT).await;
        }
    }

    async fn end(&self, id: &str, end: End) {
        // The pulse goes on until the end is stored, so that the task does not count as lost; if
        // Redis has lost it, the pulse stores it again.
        loop {
            match self.store.update(id, Status::of_end(&end), true).await {
                Ok(Some(_)) => break,
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "the result of a task is not stored yet"),
            }
            sleep(BEAT).await;
            if self.worker(id).is_none() {
                return;
            }
        }
        drop(self.take(id));
    }

    async fn forget(&self, id: &str) {
        if let Some(running) = self.take(id) {
            running.worker.stop();
            if let Err(error) = self.store.remove(id).await {
                // It expires by itself.
                tracing::debug!(%error, "a task is not removed");
            }
        }
    }

    async fn cancel(&self, id: &str, owner: Option<Owner>) -> Result<Option<bool>, RedisError> {
        if !self.is_of(id, owner).await? {
            return Ok(None);
        }
        let is_cancelled = self.store.update(id, Status::Cancelled, true).await?;
        // Elsewhere its pulse finds out.
        if is_cancelled == Some(true)
            && let Some(running) = self.take(id)
        {
            running.worker.stop();
        }
        Ok(is_cancelled)
    }

    async fn answer(
        &self,
        id: &str,
        owner: Option<Owner>,
        answers: &Answers,
    ) -> Result<bool, RedisError> {
        if !self.is_of(id, owner).await? {
            return Ok(false);
        }
        match self.worker(id) {
            Some(worker) => worker.answer(answers),
            None => self.store.answer(id, answers).await?,
        }
        Ok(true)
    }

    /// True if there is such a task, and it is this owner's.
    async fn is_of(&self, id: &str, owner: Option<Owner>) -> Result<bool, RedisError> {
        let row = self.store.get(id).await?;
        Ok(row.is_some_and(|row| row.owner == owner.map(|owner| owner.0)))
    }

    fn worker(&self, id: &str) -> Option<Arc<dyn Worker>> {
        self.lock().get(id).map(|running| running.worker.clone())
    }

    /// Removes a task that does not run here any longer.
    fn take(&self, id: &str) -> Option<Running> {
        let running = self.lock().remove(id)?;
        running.pulse.iter().for_each(AbortHandle::abort);
        Some(running)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tasks for RedisTasks {
    fn begin(&self, owner: Option<Owner>, worker: Arc<dyn Worker>) -> Later<'_, Option<Begun>> {
        Box::pin(self.shared.begin(owner, worker, self.bounds))
    }

    fn ask<'a>(&'a self, id: &'a str) -> Later<'a, ()> {
        Box::pin(self.shared.ask(id))
    }

    fn end<'a>(&'a self, id: &'a str, end: End) -> Later<'a, ()> {
        Box::pin(self.shared.end(id, end))
    }

    fn forget<'a>(&'a self, id: &'a str) -> Later<'a, ()> {
        Box::pin(self.shared.forget(id))
    }

    fn get<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<TaskState>, Unreachable>> {
        let row = self.shared.store.get(id);
        Box::pin(async move { Ok(reached(row.await)?.map(|row| row.state(id))) })
    }

    fn update<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
        answers: &'a Answers,
    ) -> Later<'a, Result<bool, Unreachable>> {
        Box::pin(async move { reached(self.shared.answer(id, owner, answers).await) })
    }

    fn cancel<'a>(
        &'a self,
        id: &'a str,
        owner: Option<Owner>,
    ) -> Later<'a, Result<Option<bool>, Unreachable>> {
        Box::pin(async move { reached(self.shared.cancel(id, owner).await) })
    }
}

fn reached<T>(result: Result<T, RedisError>) -> Result<T, Unreachable> {
    result.map_err(|error| {
        tracing::warn!(%error, "the tasks in Redis cannot be reached");
        Unreachable
    })
}

impl fmt::Debug for RedisTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL may have a password.
        f.debug_struct("RedisTasks").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
