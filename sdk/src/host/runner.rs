//! One session and the calls that run for it.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::limits::Limits;
use super::shell::Shell;
use super::table::{Stopped, Table};
use super::threads::Threads;
use crate::mcp::{
    Call, CallId, Done, Host, Kind, Link, Outbox, Run, Session, Speech, Started, Step,
};
use crate::{ToolRegistry, panics};

/// A session, what it says, and the calls that run for it. See [the module](super).
///
/// All of it is behind one lock, under which no code of the user's runs: what may hold such code
/// leaves the lock before it is started, stopped or dropped.
pub struct Runner {
    limits: Limits,
    shell: Box<dyn Shell>,
    /// Where tools run.
    runtime: Handle,
    /// Where their time is kept.
    clock: Handle,
    state: Mutex<State>,
    /// Signals that fewer calls wait, or that the session is closed.
    fewer_waiting: Condvar,
    threads: Threads,
    is_idle: Notify,
    awaits_idle: AtomicBool,
    this: Weak<Self>,
}

struct State {
    /// `None` once it is closed: tools may hold what holds the runner, and would so keep both.
    session: Option<Session>,
    outbox: Outbox,
    table: Table,
}

/// The result of giving a line to a [`Runner`].
#[derive(Debug)]
#[non_exhaustive]
#[must_use = "a call that is not run is never answered"]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Received<'a> {
    /// Nothing is left to do.
    Nothing,
    /// A call to [run](Runner::run). It borrows the line.
    Call(Admission<'a>),
    /// The client has cancelled this call, which has been stopped.
    Cancelled(CallId),
    /// The session is closed, and no line is taken any more.
    Closed,
}

/// A call that has been received.
#[derive(Debug)]
#[must_use = "a call that is not run is never answered"]
pub struct Admission<'a> {
    call: Call<'a>,
    /// The length of its line, in bytes.
    bytes: usize,
    /// It need not wait for another call to end.
    is_free: bool,
}

/// Where a call goes that cannot be polled in place without further ado.
enum Place {
    Here(Run),
    Queued,
    Thread {
        is_needed: bool,
    },
    /// Too many calls wait.
    Full(Run),
    /// It was cancelled meanwhile.
    Gone(Run),
}

impl Admission<'_> {
    /// Which call it is.
    pub fn id(&self) -> &CallId {
        self.call.id()
    }
}

impl Runner {
    /// A runner whose calls run on the present tokio runtime, which must have its time driver on.
    ///
    /// # Panics
    ///
    /// There is no tokio runtime.
    pub fn new(
        registry: &ToolRegistry,
        host: Host,
        outbox: Outbox,
        shell: impl Shell,
        limits: Limits,
    ) -> Arc<Self> {
        Self::on(Handle::current(), registry, host, outbox, shell, limits)
    }

    /// Like [`Runner::new`], with the tools on another runtime than the present one, which keeps
    /// their time.
    ///
    /// # Panics
    ///
    /// There is no present tokio runtime.
    pub fn on(
        runtime: Handle,
        registry: &ToolRegistry,
        host: Host,
        outbox: Outbox,
        shell: impl Shell,
        limits: Limits,
    ) -> Arc<Self> {
        Arc::new_cyclic(|this: &Weak<Self>| Self {
            shell: Box::new(shell),
            runtime,
            clock: Handle::current(),
            state: Mutex::new(State {
                session: Some(Session::new(registry, host, this.clone())),
                outbox,
                table: Table::default(),
            }),
            fewer_waiting: Condvar::new(),
            threads: Threads::new(limits.sync_threads),
            is_idle: Notify::new(),
            awaits_idle: AtomicBool::new(false),
            limits,
            this: this.clone(),
        })
    }

    /// Gives a line of the client's to the session.
    pub fn receive<'a>(&self, line: &'a [u8]) -> Received<'a> {
        let (received, stopped, next) = self.turn(|state| {
            let State { session: Some(session), outbox, table } = state else {
                return (Received::Closed, None, None);
            };
            match session.receive(line, outbox) {
                Step::Call(call) => {
                    let is_free = table.is_free(&self.limits);
                    let call = Admission { call, bytes: line.len(), is_free };
                    (Received::Call(call), None, None)
                }
                Step::Cancel(call) => {
                    let stopped = table.stop(call.number());
                    (Received::Cancelled(call), Some(stopped), self.next(state))
                }
                Step::Idle => (Received::Nothing, None, None),
            }
        });
        if let Some(stopped) = stopped {
            self.stopped(stopped, next);
        }
        received
    }

    /// Tells the session of a line that was too long to be kept; see
    /// [`Session::receive_too_long`].
    pub fn receive_too_long(&self, head: &[u8], tail: &[u8], length: usize) {
        self.turn(|state| {
            state.say(|session, outbox| session.receive_too_long(head, tail, length, outbox));
        });
    }

    /// Decodes a call's arguments and runs it: plain functions on a thread, all else on the
    /// runtime. Its answer is flushed.
    pub fn run(&self, call: Admission<'_>) {
        match self.begin(call) {
            Some(run) => self.spawn(run),
            None => self.flush(),
        }
    }

    /// Decodes a call's arguments, for a host that polls calls in place. Such a call is given back:
    /// the host polls it and ends it with [`Runner::finish`], or leaves it to [`Runner::spawn`].
    /// `None` says that the call is done already, waits, or runs on a thread.
    pub fn begin(&self, admission: Admission<'_>) -> Option<Run> {
        let Admission { call, bytes, is_free } = admission;
        let run = match call.start() {
            Started::Run(run) => run,
            Started::Done(done) => {
                self.finish(done);
                return None;
            }
        };
        // Most calls need nobody to know how they are stopped.
        let is_plain = run.timeout().is_none() && run.cancel_token().is_none();
        if is_free && is_plain && run.kind() != Kind::Sync {
            return Some(run);
        }
        let place = self.turn(|state| {
            if !state.is_running(run.id()) {
                return Place::Gone(run);
            }
            if state.table.is_free(&self.limits) {
                return self.place(state, run);
            }
            if !state.table.has_room(&self.limits) {
                return Place::Full(run);
            }
            state.table.wait(run, bytes);
            Place::Queued
        });
        self.settle(place)
    }

    /// Leaves a call that waits for something to the runtime.
    pub fn spawn(&self, run: Run) {
        let Some(runner) = self.this.upgrade() else { return };
        let call = run.id().clone();
        let task = self.runtime.spawn(async move {
            let done = run.await;
            runner.finish(done);
            runner.flush();
        });
        let task = task.abort_handle();
        // It may have been cancelled meanwhile, or be done.
        let refused = self.turn(|state| {
            if state.is_running(&call) {
                state.table.admit(call.number()).task = Some(task);
                return None;
            }
            Some(task)
        });
        refused.iter().for_each(AbortHandle::abort);
    }

    /// Answers a call with its result. What is said waits for the next [flush](Runner::flush).
    pub fn finish(&self, done: Done) {
        let number = done.id().number();
        let (ended, next) = self.turn(|state| {
            let ended = state.table.remove(number);
            state.say(|session, outbox| session.finish(done, outbox));
            let next = ended.is_some().then(|| self.next(state)).flatten();
            (ended, next)
        });
        if let Some(timer) = ended.and_then(|ended| ended.timer) {
            timer.abort();
        }
        self.settle_next(next);
    }

    /// Cancels a call on behalf of a client that says so by other means than a notification; says
    /// whether it was not answered yet.
    pub fn cancel(&self, call: &CallId) -> bool {
        let (was_running, stopped, next) = self.turn(|state| {
            let was_running = state.say(|session, outbox| session.cancel(call, outbox));
            (was_running == Some(true), state.table.stop(call.number()), self.next(state))
        });
        self.stopped(stopped, next);
        was_running
    }

    /// Has the shell send what was said.
    pub fn flush(&self) {
        self.shell.flush(&|empty| self.lock().outbox.take(empty));
    }

    /// Blocks while more calls wait than may; says whether the session is still open.
    pub fn wait_for_room(&self) -> bool {
        let waits =
            |state: &mut State| !state.table.has_room(&self.limits) && state.session.is_some();
        let state = self.fewer_waiting.wait_while(self.lock(), waits);
        state.unwrap_or_else(PoisonError::into_inner).session.is_some()
    }

    /// Waits until no call is unanswered.
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

    /// Ends the session: answers what is not answered yet and stops all calls.
    pub fn close(&self) {
        let (session, stopped) = self.turn(|state| {
            state.say(Session::close);
            self.fewer_waiting.notify_all();
            self.threads.close();
            (state.session.take(), state.table.stop_all())
        });
        stopped.into_iter().for_each(Stopped::stop);
        panics::discard(session);
        self.flush();
    }

    /// The runtime on which tools run.
    pub fn runtime(&self) -> &Handle {
        &self.runtime
    }

    fn time_out(&self, call: &CallId) {
        let (stopped, next) = self.turn(|state| {
            state.say(|session, outbox| session.time_out(call, outbox));
            (state.table.stop(call.number()), self.next(state))
        });
        self.stopped(stopped, next);
        self.flush();
    }

    /// Stops what has been taken out, and begins what has waited for it.
    fn stopped(&self, stopped: Stopped, next: Option<Place>) {
        stopped.stop();
        self.settle_next(next);
    }

    /// The call that may begin as another one has ended.
    fn next(&self, state: &mut State) -> Option<Place> {
        let run = state.table.next(&self.limits)?;
        self.fewer_waiting.notify_all();
        Some(self.place(state, run))
    }

    /// Notes an admitted call, and where it is to run.
    fn place(&self, state: &mut State, run: Run) -> Place {
        let timer = run.timeout().map(|limit| self.arm(run.id().clone(), limit));
        let running = state.table.admit(run.id().number());
        running.timer = timer;
        running.cancel = run.cancel_token().cloned();
        if run.kind() != Kind::Sync {
            return Place::Here(run);
        }
        state.table.for_threads.push(run, 0);
        Place::Thread { is_needed: self.threads.are_needed(state.table.for_threads.len()) }
    }

    /// Does outside of the lock what was decided within.
    fn settle(&self, place: Place) -> Option<Run> {
        match place {
            Place::Here(run) => return Some(run),
            Place::Queued | Place::Thread { is_needed: false } => {}
            Place::Thread { is_needed: true } => self.start_thread(),
            Place::Full(run) => self.finish(run.overloaded()),
            Place::Gone(run) => drop(run),
        }
        None
    }

    fn settle_next(&self, next: Option<Place>) {
        if let Some(run) = next.and_then(|place| self.settle(place)) {
            self.spawn(run);
        }
    }

    fn start_thread(&self) {
        let Some(runner) = self.this.upgrade() else { return };
        if let Err(error) = self.threads.start(move || runner.work()) {
            tracing::error!(%error, "no thread can be started for a tool");
            // Without any thread the runtime is the last resort.
            let run = self.turn(|state| match self.threads.is_empty() {
                true => state.table.for_threads.pop(),
                false => None,
            });
            run.into_iter().for_each(|run| self.spawn(run));
        }
    }

    /// Runs plain functions until there is nothing more to do for a while.
    fn work(self: Arc<Self>) {
        let _context = self.runtime.enter();
        let take = |state: &mut State| state.table.for_threads.pop();
        while let Some(mut run) = self.threads.next(self.lock(), take) {
            // A plain function has no point at which it could wait: one poll is all of it.
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(done) = Pin::new(&mut run).poll(&mut context) {
                self.finish(done);
                self.flush();
            }
        }
    }

    fn arm(&self, call: CallId, limit: Duration) -> AbortHandle {
        let runner = self.this.clone();
        let timer = self.clock.spawn(async move {
            tokio::time::sleep(limit).await;
            if let Some(runner) = runner.upgrade() {
                runner.time_out(&call);
            }
        });
        timer.abort_handle()
    }

    /// Takes the lock. What the session leaves for later happens once it is released.
    fn turn<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let value = f(&mut state);
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
        value
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Lets the session speak, unless it is closed.
    fn say<T>(&mut self, f: impl FnOnce(&mut Session, &mut Outbox) -> T) -> Option<T> {
        self.session.as_mut().map(|session| f(session, &mut self.outbox))
    }

    fn is_running(&self, call: &CallId) -> bool {
        self.session.as_ref().is_some_and(|session| session.is_running(call))
    }

    fn is_idle(&self) -> bool {
        self.session.as_ref().is_none_or(|session| session.running() == 0)
    }
}

impl Link for Runner {
    fn speak(&self, speech: Speech<'_>) {
        // A tool is not made to wait for its client, which misses some progress instead.
        if speech.is_droppable() && self.shell.is_behind() {
            return;
        }
        self.turn(|state| state.say(|session, outbox| session.speak(speech, outbox)));
        self.flush();
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("limits", &self.limits).finish_non_exhaustive()
    }
}
