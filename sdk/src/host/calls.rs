//! The calls of a session, from the line that asks for one to its answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::task::AbortHandle;

use super::admission::{Admission, Received};
use super::runner::{Runner, State};
use super::table::Stopped;
use crate::mcp::{CallId, Done, Kind, Run, Session, Started, Step};
use crate::panics;

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

/// What is left of a call that has ended, and the call that has waited for it.
struct Ended {
    stopped: Stopped,
    next: Option<Place>,
}

impl Runner {
    /// Gives a line of the client's to the session.
    pub fn receive<'a>(&self, line: &'a [u8]) -> Received<'a> {
        self.finish_and_receive(None, line)
    }

    /// [Finishes](Runner::finish) a call and gives the next line to the session, in one turn.
    pub fn finish_and_receive<'a>(&self, done: Option<Done>, line: &'a [u8]) -> Received<'a> {
        let (received, ended) = self.turn(|state| {
            let finished = done.and_then(|done| self.end(state, done));
            let State { session: Some(session), outbox, table } = state else {
                return (Received::Closed, [finished, None]);
            };
            match session.receive(line, outbox) {
                Step::Call(call) => {
                    let is_free = table.is_free(&self.limits);
                    let call = Admission { call, bytes: line.len(), is_free };
                    (Received::Call(call), [finished, None])
                }
                Step::Cancel(call) => {
                    let stopped = self.stop(state, &call);
                    (Received::Cancelled(call), [finished, Some(stopped)])
                }
                Step::Idle => (Received::Nothing, [finished, None]),
            }
        });
        ended.into_iter().flatten().for_each(|ended| self.ended(*ended));
        received
    }

    /// Decodes a call's arguments and runs it: plain functions on a thread, all else on the
    /// runtime. Its answer is flushed.
    pub fn run(&self, call: Admission<'_>) {
        // It becomes a task in any case, and so is counted before it begins.
        match self.begin(Admission { is_free: false, ..call }) {
            Some(run) => self.spawn(run),
            None => self.flush(),
        }
    }

    /// Decodes a call's arguments, for a host that polls calls in place. Such a call is given back:
    /// the host polls it and ends it with [`Runner::finish`], or leaves it to [`Runner::spawn`].
    /// `None` says that the call is done already, waits, or runs on a thread.
    ///
    /// Where several threads do this, each may exceed [`Limits::max_running`] by one call.
    ///
    /// [`Limits::max_running`]: super::Limits::max_running
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
        let ended = self.turn(|state| self.end(state, done));
        ended.into_iter().for_each(|ended| self.ended(*ended));
    }

    /// Cancels a call on behalf of a client that says so by other means than a notification; says
    /// whether it was not answered yet. What is said waits for the next [flush](Runner::flush).
    pub fn cancel(&self, call: &CallId) -> bool {
        let (was_running, ended) = self.turn(|state| {
            let was_running = state.say(|session, outbox| session.cancel(call, outbox));
            (was_running == Some(true), self.stop(state, call))
        });
        self.ended(*ended);
        was_running
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

    fn time_out(&self, call: &CallId) {
        let ended = self.turn(|state| {
            state.say(|session, outbox| session.time_out(call, outbox));
            self.stop(state, call)
        });
        self.ended(*ended);
        self.flush();
    }

    /// Answers a call. Most were never noted, and so nothing is left of them.
    fn end(&self, state: &mut State, done: Done) -> Option<Box<Ended>> {
        let noted = state.table.remove(done.id().number());
        state.say(|session, outbox| session.finish(done, outbox));
        noted.map(|noted| {
            let stopped = Stopped::done(noted);
            Box::new(Ended { stopped, next: self.next(state) })
        })
    }

    /// Takes out a call that is to stop, and the one that may begin in its stead.
    fn stop(&self, state: &mut State, call: &CallId) -> Box<Ended> {
        let stopped = state.table.stop(call.number());
        // It may have waited itself.
        self.fewer_waiting.notify_all();
        Box::new(Ended { stopped, next: self.next(state) })
    }

    /// Stops what has been taken out, and begins what has waited for it.
    fn ended(&self, Ended { stopped, next }: Ended) {
        stopped.stop();
        if let Some(run) = next.and_then(|place| self.settle(place)) {
            self.spawn(run);
        }
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

    fn start_thread(&self) {
        let Some(runner) = self.this.upgrade() else { return };
        let Err(error) = self.threads.start(move || runner.work()) else { return };
        // Without any thread the runtime is the last resort, for all that wait: each may have
        // counted on the thread of another one.
        while let Some(run) = self.turn(|state| match self.threads.is_empty() {
            true => state.table.for_threads.pop(),
            false => None,
        }) {
            self.spawn(run);
        }
        tracing::error!(%error, "no thread can be started for a tool");
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
}
