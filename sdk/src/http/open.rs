//! The exchanges of a service that are not over.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use http::StatusCode;
use http::header::{CONNECTION, RETRY_AFTER};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::refusal::Refusal;
use crate::host::Runner;
use crate::mcp::AskError;
use crate::mcp::protocol::ErrorObject;

const TOO_MANY: &str = "the server has too many requests in work";
const CLOSING: &str = "the server is shutting down";
/// How long answers of calls that were stopped may take to leave.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How many messages of sessions and about tasks more are read at the bound of requests, and at the
/// end of the service: an answer of a client, or a cancellation, may end a call.
const SPARE: usize = 64;

/// The exchanges, and how many there may be.
#[derive(Default)]
pub(super) struct Open {
    state: Mutex<State>,
    is_idle: Notify,
}

/// What waits: a session of one request, or one of a client.
pub(super) trait Exchange: Send + Sync + 'static {
    /// Ends it, with an answer if the client waits for one.
    fn close(&self);

    /// Fails its questions, as no answer to them can come.
    fn ask_no_more(&self) {}
}

#[derive(Default)]
struct State {
    stage: Stage,
    /// No answers of clients arrive any more.
    is_deaf: bool,
    /// Those that have a place, the listeners among them.
    requests: usize,
    listeners: usize,
    /// By their numbers.
    waiting: HashMap<u64, Entry>,
    next: u64,
}

struct Entry {
    exchange: Weak<dyn Exchange>,
    is_listener: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Open,
    /// No more requests are taken, and nobody listens any more. Calls can be answered.
    Draining,
    /// Calls are stopped.
    Stopping,
}

/// A request in work, counted until this is dropped.
pub(super) struct Admitted {
    open: Arc<Open>,
    /// Why it may not be a request for something new.
    refusal: Option<&'static str>,
}

/// An exchange that waits, known until this is dropped.
pub(super) struct Waiting {
    open: Arc<Open>,
    number: u64,
}

/// What a request takes up until its response has ended and its calls are answered.
pub(super) struct Place {
    /// Dropped first, as a listener is one of the requests.
    waiting: OnceLock<Waiting>,
    _admitted: Admitted,
}

impl Open {
    /// Admits a request, if fewer than `most` are in work, or a message that may end one. A bound
    /// of their own is for those that listen. `may_end` is called only if there is no room.
    pub(super) fn admit(
        self: &Arc<Self>,
        most: usize,
        may_end: impl FnOnce() -> bool,
    ) -> Result<Admitted, Refusal> {
        let mut state = self.lock();
        let in_work = state.requests - state.listeners;
        let refusal = match state.stage {
            Stage::Open if in_work < most => None,
            Stage::Open => Some(TOO_MANY),
            Stage::Draining | Stage::Stopping => Some(CLOSING),
        };
        let has_room = state.stage != Stage::Stopping && in_work < most.saturating_add(SPARE);
        if let Some(message) = refusal.filter(|_| !(has_room && may_end())) {
            return Err(unavailable(message));
        }
        state.requests += 1;
        Ok(Admitted { open: self.clone(), refusal })
    }

    /// Adds an exchange that is not answered yet, unless it would be one listener more than `most`.
    pub(super) fn wait(
        self: &Arc<Self>,
        exchange: &Arc<impl Exchange>,
        is_listener: bool,
        most: usize,
    ) -> Option<Waiting> {
        let mut state = self.lock();
        if is_listener && state.listeners >= most {
            return None;
        }
        state.listeners += usize::from(is_listener);
        let number = state.next;
        state.next += 1;
        let weak = Arc::downgrade(exchange);
        state.waiting.insert(number, Entry { exchange: weak, is_listener });
        let is_late =
            state.stage == Stage::Stopping || (is_listener && state.stage == Stage::Draining);
        let is_deaf = state.is_deaf;
        drop(state);
        if is_late {
            exchange.close();
        } else if is_deaf {
            exchange.ask_no_more();
        }
        Some(Waiting { open: self.clone(), number })
    }

    /// Ends what listens, gives the calls `grace`, then stops them. If it `is_deaf`, no answers to
    /// their questions can come meanwhile.
    pub(super) async fn close(&self, grace: Duration, is_deaf: bool) {
        self.lock().is_deaf |= is_deaf;
        self.stop(Stage::Draining, |entry| entry.is_listener);
        if is_deaf {
            self.waiting(|_| true).iter().for_each(|exchange| exchange.ask_no_more());
        }
        if timeout(grace, self.idle()).await.is_err() {
            self.stop(Stage::Stopping, |_| true);
            // What is not over now has a client that does not read.
            let _ = timeout(LAST_WORDS, self.idle()).await;
        }
    }

    fn stop(&self, stage: Stage, which: impl Fn(&Entry) -> bool) {
        let mut state = self.lock();
        state.stage = state.stage.max(stage);
        drop(state);
        self.waiting(which).iter().for_each(|exchange| exchange.close());
    }

    fn waiting(&self, which: impl Fn(&Entry) -> bool) -> Vec<Arc<dyn Exchange>> {
        let state = self.lock();
        let entries = state.waiting.values().filter(|entry| which(entry));
        entries.filter_map(|entry| entry.exchange.upgrade()).collect()
    }

    async fn idle(&self) {
        loop {
            let idle = self.is_idle.notified();
            if self.lock().requests == 0 {
                return;
            }
            idle.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Admitted {
    /// Admits a message whose body has come, and which may be a request. `may_end` is called only
    /// if there is no room for requests.
    pub(super) fn for_message(self, may_end: impl FnOnce() -> bool) -> Result<Self, Refusal> {
        match self.refusal {
            Some(message) if !may_end() => Err(unavailable(message)),
            _ => Ok(self),
        }
    }
}

fn unavailable(message: &str) -> Refusal {
    Refusal::plain(StatusCode::SERVICE_UNAVAILABLE, message)
        .with_header(RETRY_AFTER, "1")
        .with_header(CONNECTION, "close")
}

impl Place {
    pub(super) fn new(admitted: Admitted) -> Self {
        Self { waiting: OnceLock::new(), _admitted: admitted }
    }

    pub(super) fn wait(&self, waiting: Waiting) {
        let _ = self.waiting.set(waiting);
    }
}

impl Exchange for Runner {
    fn close(&self) {
        Self::close(self);
    }

    fn ask_no_more(&self) {
        let error = ErrorObject::new(Refusal::CODE, CLOSING);
        Self::ask_no_more(self, &AskError::Refused(error));
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut state = self.open.lock();
        state.requests -= 1;
        let is_last = state.requests == 0 && state.stage != Stage::Open;
        drop(state);
        if is_last {
            self.open.is_idle.notify_waiters();
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut state = self.open.lock();
        let entry = state.waiting.remove(&self.number);
        state.listeners -= usize::from(entry.as_ref().is_some_and(|entry| entry.is_listener));
        drop(state);
        // The last reference may drop a tool.
        drop(entry);
    }
}

#[cfg(test)]
mod tests;
