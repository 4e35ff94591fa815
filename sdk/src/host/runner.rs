//! One session behind its lock.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::limits::Limits;
use super::shell::Shell;
use super::table::Table;
use super::tasks::InMemory;
use super::threads::Threads;
use crate::ToolRegistry;
#[cfg(feature = "http")]
use crate::mcp::protocol::ErrorObject;
use crate::mcp::protocol::Topic;
use crate::mcp::{AskError, CallId, Host, Link, Outbox, Session, Speech};
use crate::panics;

/// A session, its outbox and the calls that run for it. See [the module](super).
///
/// All of it is behind one lock, under which no user code runs: values that may hold user code
/// leave the lock before they are started, stopped or dropped.
pub struct Runner {
    pub(super) limits: Limits,
    pub(super) shell: Box<dyn Shell>,
    /// The runtime of the tools.
    pub(super) runtime: Handle,
    /// The runtime of their time-outs.
    pub(super) clock: Handle,
    state: Mutex<State>,
    pub(super) threads: Threads,
    is_idle: Notify,
    awaits_idle: AtomicBool,
    pub(super) this: Weak<Self>,
}

pub(super) struct State {
    /// `None` after `close`: tools may hold the owner of the runner, which would keep both alive.
    pub(super) session: Option<Session>,
    pub(super) outbox: Outbox,
    pub(super) table: Table,
    /// Changes that the client is too far behind to be notified of.
    pub(super) changed: Vec<Topic>,
    /// How many questions were asked since the client is behind, also those withdrawn again.
    unread: usize,
}

/// How many questions may wait for a client that is behind.
const QUESTIONS: usize = 64;

impl Drop for Runner {
    fn drop(&mut self) {
        // Without `close` the session is still there, with values of the user's.
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        panics::discard(state.session.take());
    }
}

impl Runner {
    /// A runner whose calls run on the current tokio runtime, which needs its time driver.
    ///
    /// # Panics
    ///
    /// If there is no current tokio runtime.
    pub fn new(
        registry: &ToolRegistry,
        host: Host,
        outbox: Outbox,
        shell: impl Shell,
        limits: Limits,
    ) -> Arc<Self> {
        Self::on(Handle::current(), registry, host, outbox, shell, limits)
    }

    /// Like [`Runner::new`], with the tools on another runtime. The current one keeps their
    /// time-outs and needs its time driver.
    ///
    /// # Panics
    ///
    /// If there is no current tokio runtime.
    pub fn on(
        runtime: Handle,
        registry: &ToolRegistry,
        host: Host,
        outbox: Outbox,
        shell: impl Shell,
        limits: Limits,
    ) -> Arc<Self> {
        Self::behind(Box::new(shell), runtime, registry, host, outbox, limits)
    }

    /// Not generic, so that it is not compiled for each shell.
    fn behind(
        shell: Box<dyn Shell>,
        runtime: Handle,
        registry: &ToolRegistry,
        host: Host,
        outbox: Outbox,
        limits: Limits,
    ) -> Arc<Self> {
        let threads = Threads::new(limits.sync_threads);
        let session = |link| Session::new(registry, host, link);
        Self::sharing(threads, runtime, session, outbox, shell, limits)
    }

    /// Like [`Runner::on`], with threads that other runners use too.
    pub(crate) fn sharing(
        threads: Threads,
        runtime: Handle,
        session: impl FnOnce(Weak<dyn Link>) -> Session,
        outbox: Outbox,
        shell: Box<dyn Shell>,
        limits: Limits,
    ) -> Arc<Self> {
        Arc::new_cyclic(|this: &Weak<Self>| {
            let session = session(this.clone());
            let server = session.registry().server();
            if server.offers.tasks {
                server.tasks.get_or_init(|| Arc::new(InMemory::new(server.task_bounds)));
            }
            Self {
                shell,
                runtime,
                clock: Handle::current(),
                state: Mutex::new(State {
                    session: Some(session),
                    outbox,
                    table: Table::default(),
                    changed: Vec::new(),
                    unread: 0,
                }),
                threads,
                is_idle: Notify::new(),
                awaits_idle: AtomicBool::new(false),
                limits,
                this: this.clone(),
            }
        })
    }

    /// Passes the session a line that was too long to be kept; see [`Session::receive_too_long`].
    pub fn receive_too_long(&self, head: &[u8], tail: &[u8], length: usize) {
        self.turn(|state| {
            state.say(|session, outbox| session.receive_too_long(head, tail, length, outbox));
        });
    }

    /// Makes the shell send the messages in the outbox.
    pub fn flush(&self) {
        self.shell.flush(&|empty| self.lock().outbox.take(empty));
    }

    /// Waits until every call is answered.
    pub async fn idle(&self) {
        self.awaits_idle.store(true, Ordering::SeqCst);
        loop {
            let idle = self.is_idle.notified();
            if self.lock().is_idle() {
                return;
            }
            idle.await;
        }
    }

    /// Withdraws the questions of calls with these numbers: they fail with this error.
    #[cfg(feature = "http")]
    pub(crate) fn give_up_questions(&self, calls: &[u64], error: &ErrorObject) {
        self.turn(|state| {
            state.say(|session, outbox| session.give_up_questions(calls, error, outbox));
        });
        self.flush();
    }

    /// Withdraws all questions: they and those that follow fail with this error. For a host whose
    /// client can answer no more, while its calls may still end.
    pub fn ask_no_more(&self, error: &AskError) {
        self.turn(|state| state.say(|session, outbox| session.ask_no_more(error, outbox)));
        self.flush();
    }

    /// True if another call may start.
    pub(super) fn is_free(&self, table: &Table) -> bool {
        table.is_free(&self.limits) && !self.shell.is_behind()
    }

    /// The runtime that runs the tools.
    pub fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Runs `f` under the lock, and then, without the lock, the work that the session has deferred.
    pub(super) fn turn<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let value = f(&mut state);
        self.end_turn(state);
        value
    }

    /// The part of a turn that is compiled once.
    fn end_turn(&self, mut state: MutexGuard<'_, State>) {
        if !state.outbox.is_empty() {
            self.shell.said(&mut state.outbox);
        }
        let after = state.outbox.take_after();
        let is_idle = self.awaits_idle.load(Ordering::SeqCst) && state.is_idle();
        drop(state);
        after.run();
        if is_idle {
            self.is_idle.notify_waiters();
        }
    }

    /// The calls that remain: running, waiting, the bytes of those, waiting for threads.
    #[cfg(test)]
    pub(super) fn left(&self) -> [usize; 4] {
        self.lock().table.left()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Calls `f` with the session, unless it is closed.
    pub(super) fn say<T>(&mut self, f: impl FnOnce(&mut Session, &mut Outbox) -> T) -> Option<T> {
        self.session.as_mut().map(|session| f(session, &mut self.outbox))
    }

    pub(super) fn is_running(&self, call: &CallId) -> bool {
        self.session.as_ref().is_some_and(|session| session.is_running(call))
    }

    /// True if the work of a call goes on: it is not answered yet, or goes on as a task.
    pub(super) fn is_at_work(&self, call: &CallId) -> bool {
        self.is_running(call) || self.table.is_promoted(call)
    }

    /// Notes a change for a client that is behind, once.
    fn note(&mut self, topic: &Topic) {
        let is_wanted = self.session.as_ref().is_some_and(|session| session.wants(topic));
        if !is_wanted {
            return;
        }
        match self.changed.iter_mut().find(|noted| noted.is_of_the_same(topic)) {
            Some(noted) => *noted = topic.clone(),
            None => self.changed.push(topic.clone()),
        }
    }

    /// Tells a client that is behind no longer of the first change that was noted, and forgets how
    /// many questions it had not read. Returns false if there is no change.
    pub(super) fn tell_noted(&mut self) -> bool {
        self.unread = 0;
        if self.changed.is_empty() {
            return false;
        }
        let topic = self.changed.remove(0);
        self.say(|session, outbox| session.speak(Speech::of_change(&topic), outbox));
        true
    }

    /// Counts a question. Returns true if the client has not read too many others.
    fn has_unread(&mut self, is_behind: bool) -> bool {
        self.unread = if is_behind { self.unread + 1 } else { 0 };
        self.unread > QUESTIONS
    }

    fn is_idle(&self) -> bool {
        self.session.as_ref().is_none_or(|session| session.running() == 0)
    }
}

impl Link for Runner {
    fn speak(&self, speech: Speech<'_>) {
        // A tool does not wait for its client; the client misses some progress messages instead.
        if speech.is_droppable() && self.shell.is_behind() {
            return;
        }
        self.turn(|state| match speech.topic() {
            // Many changes need one notification.
            Some(topic) if self.shell.is_behind() => state.note(topic),
            None if speech.asks() && state.has_unread(self.shell.is_behind()) => {
                let asker = speech.asker();
                // Whoever asked is woken once the lock is released.
                state.outbox.later(move || {
                    asker.map(|asker| asker.send(Err(AskError::Overloaded)));
                });
            }
            topic => {
                // What was noted of the same is older, and must not follow.
                if let Some(topic) = topic {
                    state.changed.retain(|noted| !topic.is_of_the_same(noted));
                }
                state.say(|session, outbox| session.speak(speech, outbox));
            }
        });
        self.flush();
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("limits", &self.limits).finish_non_exhaustive()
    }
}
