//! Runs whose CLI is ready before there is a prompt.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;

use super::callback_output::AnyError;
use super::connected::{Connected, Starting, close};
use super::error::{ConnectError, ProcessExit};
use super::inbox::Outlet;
use super::lifecycle::Stop;
use super::options::AgentOptions;
use super::prompt::Prompt;
use super::query::Query;
use super::status::ServerInfo;
use super::transport::Transport;
use crate::CancelToken;

/// Starts the CLI and initialises it before there is a prompt, so that the prompt need not wait.
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use toolwright::agent::{AgentOptions, prewarm};
///
/// let warm = prewarm(AgentOptions::default()).await?;
/// // Later:
/// let result = warm.query("What is 2 + 40?").finish().await?;
/// # Ok(())
/// # }
/// ```
///
/// A conversation needs no such thing: [`AgentClient::connect`](super::AgentClient::connect) does
/// the same.
///
/// # Errors
///
/// As for [`query`](super::query()).
pub async fn prewarm(options: AgentOptions) -> Result<WarmQuery, ConnectError> {
    let transport = options.process();
    prewarm_with(transport, options).await
}

/// Like [`prewarm`], over another transport.
///
/// # Errors
///
/// As for [`query_with`](super::query_with).
pub async fn prewarm_with(
    transport: impl Transport + 'static,
    options: AgentOptions,
) -> Result<WarmQuery, ConnectError> {
    let (connected, outlet) = Connected::connect(Box::new(transport), options, true).await?;
    Ok(WarmQuery { connected, outlet })
}

/// A CLI that waits for the prompt of its one run; [`prewarm`] starts it. Dropping it ends the CLI.
///
/// ```no_run
/// # use toolwright::agent::{RunError, WarmQuery};
/// # async fn example(warm: WarmQuery) -> Result<(), RunError> {
/// let version = warm.server_info().claude_code_version.clone();
/// let result = warm.query("Which version are you?").finish().await?;
/// println!("{version:?}: {}", result.text());
/// # Ok(())
/// # }
/// ```
#[must_use = "the CLI ends when this is dropped"]
pub struct WarmQuery {
    connected: Connected,
    outlet: Outlet,
}

impl WarmQuery {
    /// Begins the run.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime, if it is a stream of prompts.
    pub fn query(self, prompt: impl Into<Prompt>) -> Query {
        Query::begin(self.connected, self.outlet, prompt.into())
    }

    /// The CLI's answer to `initialize`: its commands, agents, models and version.
    pub fn server_info(&self) -> &ServerInfo {
        &self.connected.info
    }

    /// How the CLI has ended, if it has.
    pub fn exit(&self) -> Option<ProcessExit> {
        self.connected.handle.exit()
    }

    /// Whether the CLI waits for the prompt: it has not ended, and does not end just now.
    fn waits(&self) -> bool {
        let lifecycle = &self.connected.handle.core.lifecycle;
        self.exit().is_none() && !lifecycle.is_ending() && !lifecycle.is_stopped()
    }

    /// Ends the CLI and waits until its process is gone.
    pub async fn close(self) -> ProcessExit {
        self.connected.close().await
    }
}

/// Keeps some CLIs ready for runs with the same options.
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use toolwright::agent::{AgentOptions, WarmPool};
///
/// let pool = WarmPool::new(2, AgentOptions::default());
/// for question in ["What is 2 + 40?", "And 20 + 3?"] {
///     println!("{}", pool.query(question).await?.finish().await?.text());
/// }
/// pool.close().await;
/// # Ok(())
/// # }
/// ```
///
/// Each CLI serves one run: runs share nothing but the callbacks and registries of the options. A
/// CLI that waits costs its memory, some 200 MB. When one is taken, another is started. Dropping
/// the pool ends those that wait; clones share it.
///
/// Options for one session are for one run, not for a pool, all of whose CLIs would write to it:
/// [`session_id`](super::AgentOptionsBuilder::session_id), and without
/// [`fork_session`](super::AgentOptionsBuilder::fork_session) also those that continue one.
#[derive(Clone)]
pub struct WarmPool {
    shared: Arc<Shared>,
}

struct Shared {
    size: usize,
    options: AgentOptions,
    state: Mutex<State>,
    /// A CLI that was busy is ready or gone.
    settled: Notify,
    /// The pool is closed.
    closed: CancelToken,
}

#[derive(Default)]
struct State {
    ready: VecDeque<WarmQuery>,
    /// CLIs that start at the moment, or end as the pool is closed.
    busy: usize,
}

impl WarmPool {
    /// Begins to start `size` CLIs, in tasks of the present runtime.
    ///
    /// # Panics
    ///
    /// There is no tokio runtime.
    pub fn new(size: usize, options: AgentOptions) -> Self {
        let pool = Self::unfilled(size, options);
        pool.shared.refill();
        pool
    }

    /// Begins a run with a CLI that is ready, or else starts one.
    ///
    /// # Errors
    ///
    /// As for [`query`](super::query()); a CLI that failed while it was started ahead is reported
    /// only in the log.
    pub async fn query(&self, prompt: impl Into<Prompt>) -> Result<Query, ConnectError> {
        let warm = self.shared.take();
        self.shared.refill();
        let warm = match warm {
            Some(warm) => warm,
            None => prewarm(self.shared.options.clone()).await?,
        };
        Ok(warm.query(prompt))
    }

    /// How many CLIs are ready. One that has ended meanwhile is not; the next run replaces it.
    pub fn ready(&self) -> usize {
        self.shared.state().ready.iter().filter(|warm| warm.waits()).count()
    }

    /// Ends the CLIs that wait or are just starting, and waits until their processes are gone. Runs
    /// that have begun go on, and later ones start a CLI of their own.
    pub async fn close(&self) {
        self.shared.closed.cancel();
        let waiting = {
            let mut state = self.shared.state();
            state.busy += state.ready.len();
            std::mem::take(&mut state.ready)
        };
        for warm in waiting {
            let ending = Busy(Arc::downgrade(&self.shared));
            // Whoever closes the pool at the same time waits for it, too.
            tokio::spawn(async move {
                warm.close().await;
                drop(ending);
            });
        }
        loop {
            let settled = self.shared.settled.notified();
            if self.shared.state().busy == 0 {
                break;
            }
            settled.await;
        }
    }

    fn unfilled(size: usize, options: AgentOptions) -> Self {
        let (settled, closed) = (Notify::new(), CancelToken::default());
        let shared = Shared { size, options, state: Mutex::default(), settled, closed };
        Self { shared: Arc::new(shared) }
    }
}

impl Shared {
    /// Takes the CLI that has waited longest and still runs.
    fn take(&self) -> Option<WarmQuery> {
        loop {
            // Those that have ended are dropped without the lock.
            let warm = self.state().ready.pop_front()?;
            if warm.waits() {
                return Some(warm);
            }
        }
    }

    /// Starts as many CLIs as are missing.
    fn refill(self: &Arc<Self>) {
        // Those that have ended are dropped without the lock.
        let (missing, _ended) = {
            let mut state = self.state();
            let ready = std::mem::take(&mut state.ready).into_iter();
            let (ready, ended): (VecDeque<_>, _) = ready.partition(WarmQuery::waits);
            state.ready = ready;
            let there = state.ready.len() + state.busy;
            let missing =
                if self.closed.is_cancelled() { 0 } else { self.size.saturating_sub(there) };
            state.busy += missing;
            (missing, ended)
        };
        for _ in 0..missing {
            let busy = Busy(Arc::downgrade(self));
            tokio::spawn(busy.start(self.options.clone(), self.closed.clone()));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A CLI that starts or ends. It counts as busy until this is dropped, at the latest with its
/// runtime.
struct Busy(Weak<Shared>);

impl Busy {
    async fn start(mut self, options: AgentOptions, closed: CancelToken) {
        match start(options, &closed).await {
            Ok(warm) => {
                if let Some(late) = self.keep(warm) {
                    late.close().await;
                }
            }
            Err(_) if closed.is_cancelled() => {}
            // The next run tries again, and reports why.
            Err(error) => tracing::warn!(%error, "no CLI can be started ahead"),
        }
    }

    /// Adds a CLI to those that are ready, or gives it back if the pool is closed or gone.
    fn keep(&mut self, warm: WarmQuery) -> Option<WarmQuery> {
        let Some(pool) = self.0.upgrade() else { return Some(warm) };
        {
            let mut state = pool.state();
            if pool.closed.is_cancelled() {
                return Some(warm);
            }
            // At once, so that it never counts twice.
            state.busy -= 1;
            state.ready.push_back(warm);
        }
        self.0 = Weak::new();
        pool.settled.notify_waiters();
        None
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(pool) = self.0.upgrade() {
            pool.state().busy -= 1;
            pool.settled.notify_waiters();
        }
    }
}

/// Starts a CLI, unless the pool is closed before it is ready. Of one that fails nothing is left.
async fn start(options: AgentOptions, closed: &CancelToken) -> Result<WarmQuery, AnyError> {
    // A task of its own, as a session store may panic.
    let starting = tokio::spawn(Starting::start(Box::new(options.process()), options, true));
    let abort = starting.abort_handle();
    let starting = stopped_by(closed, || abort.abort(), starting).await??;
    let core = starting.core().clone();
    let stop = || core.lifecycle.stop(Stop::Closed);
    match stopped_by(closed, stop, starting.ready()).await {
        Ok((connected, outlet)) => Ok(WarmQuery { connected, outlet }),
        Err(error) => {
            close(&core).await;
            Err(error.into())
        }
    }
}

/// The output of `work`, which ends early by `stop` once the token is cancelled.
async fn stopped_by<T>(
    token: &CancelToken,
    stop: impl FnOnce(),
    work: impl Future<Output = T>,
) -> T {
    let (mut cancelled, mut work) = (pin!(token.cancelled()), pin!(work));
    let mut stop = Some(stop);
    poll_fn(|cx| {
        if stop.is_some() && cancelled.as_mut().poll(cx).is_ready() {
            stop.take().into_iter().for_each(|stop| stop());
        }
        work.as_mut().poll(cx)
    })
    .await
}

impl fmt::Debug for WarmQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WarmQuery").field("handle", &self.connected.handle).finish()
    }
}

impl fmt::Debug for WarmPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WarmPool")
            .field("size", &self.shared.size)
            .field("ready", &self.ready())
            .field("busy", &self.shared.state().busy)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
