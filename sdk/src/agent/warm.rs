//! Runs whose CLI is ready before there is a prompt.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;

use super::connected::Connected;
use super::error::{ConnectError, ProcessExit};
use super::inbox::Outlet;
use super::options::AgentOptions;
use super::prompt::Prompt;
use super::query::Query;
use super::status::ServerInfo;
use super::transport::Transport;

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
#[derive(Clone)]
pub struct WarmPool {
    shared: Arc<Shared>,
}

type AnyError = Box<dyn std::error::Error + Send + Sync>;

struct Shared {
    size: usize,
    options: AgentOptions,
    state: Mutex<State>,
    /// A CLI that was started is ready or gone.
    started: Notify,
}

#[derive(Default)]
struct State {
    ready: VecDeque<WarmQuery>,
    /// CLIs that start at the moment.
    starting: usize,
    is_closed: bool,
}

impl WarmPool {
    /// Begins to start `size` CLIs, in tasks of the present runtime.
    ///
    /// # Panics
    ///
    /// There is no tokio runtime.
    pub fn new(size: usize, options: AgentOptions) -> Self {
        let shared =
            Arc::new(Shared { size, options, state: Mutex::default(), started: Notify::new() });
        shared.refill();
        Self { shared }
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

    /// How many CLIs are ready.
    pub fn ready(&self) -> usize {
        self.shared.state().ready.len()
    }

    /// Ends the CLIs that wait or are just starting, and waits until their processes are gone. Runs
    /// that have begun go on, and later ones start a CLI of their own.
    pub async fn close(&self) {
        let waiting = {
            let mut state = self.shared.state();
            state.is_closed = true;
            std::mem::take(&mut state.ready)
        };
        for warm in waiting {
            warm.close().await;
        }
        loop {
            let started = self.shared.started.notified();
            if self.shared.state().starting == 0 {
                break;
            }
            started.await;
        }
    }
}

impl Shared {
    /// Takes the CLI that has waited longest and still runs.
    fn take(&self) -> Option<WarmQuery> {
        loop {
            // Those that have ended are dropped without the lock.
            let warm = self.state().ready.pop_front()?;
            if warm.exit().is_none() {
                return Some(warm);
            }
        }
    }

    fn refill(self: &Arc<Self>) {
        let missing = {
            let mut state = self.state();
            let there = state.ready.len() + state.starting;
            let missing = if state.is_closed { 0 } else { self.size.saturating_sub(there) };
            state.starting += missing;
            missing
        };
        for _ in 0..missing {
            tokio::spawn(Self::start(Arc::downgrade(self), self.options.clone()));
        }
    }

    async fn start(pool: Weak<Self>, options: AgentOptions) {
        // A task of its own, as a session store may panic.
        let started = async { Ok::<_, AnyError>(tokio::spawn(prewarm(options)).await??) }.await;
        let Some(pool) = pool.upgrade() else { return };
        let late = match started {
            Ok(warm) => pool.keep(warm),
            // The next run tries again, and reports why.
            Err(error) => {
                tracing::warn!(%error, "no CLI can be started ahead");
                pool.state().starting -= 1;
                None
            }
        };
        if let Some(warm) = late {
            warm.close().await;
            pool.state().starting -= 1;
        }
        pool.started.notify_waiters();
    }

    /// Adds a CLI to those that are ready, or gives it back if the pool is closed.
    fn keep(&self, warm: WarmQuery) -> Option<WarmQuery> {
        let mut state = self.state();
        if state.is_closed {
            return Some(warm);
        }
        state.starting -= 1;
        state.ready.push_back(warm);
        None
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
            .field("starting", &self.shared.state().starting)
            .finish_non_exhaustive()
    }
}
