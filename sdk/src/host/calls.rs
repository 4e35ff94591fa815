//! The calls of a session, from request to answer.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::AbortHandle;

use super::admission::{Admission, Received};
use super::in_place::run_in_place;
use super::job::Job;
use super::promotion::Report;
use super::runner::{Runner, State};
use super::table::{Running, Stopped, abort};
use super::threads::Work;
use crate::mcp::call::Failure;
use crate::mcp::{Batch, Call, CallId, Done, Kind, Outbox, Run, Session, Started, Step};
use crate::panics;

/// Where a call goes that is not simply polled in place.
enum Place {
    Here(Run),
    Queued,
    Thread {
        needs_ticket: bool,
    },
    /// Too many calls wait.
    Full(Run),
    /// It was cancelled meanwhile.
    Gone(Run),
}

/// What remains of a call that has ended, and the call that may start in its place.
pub(super) struct Ended {
    stopped: Stopped,
    next: Option<Place>,
    /// If it went on as a task.
    report: Option<Report>,
}

impl Runner {
    /// Passes one line of the client to the session, without its end.
    pub fn receive<'a>(&self, line: &'a [u8]) -> Received<'a> {
        self.finish_and_receive(None, line)
    }

    /// [Finishes](Runner::finish) a call and passes the next line to the session, under one lock.
    pub fn finish_and_receive<'a>(&self, done: Option<Done>, line: &'a [u8]) -> Received<'a> {
        let receive = |session: &mut Session, outbox: &mut Outbox| session.receive(line, outbox);
        self.receive_by(done, line.len(), receive, |_, _| {})
    }

    /// Like [`Runner::finish_and_receive`], for a host that reads messages itself: `receive` passes
    /// one of so many bytes to the session, and `note` learns what it is before the shell takes the
    /// messages that it caused. The lock is held.
    pub(crate) fn receive_by<'a>(
        &self,
        done: Option<Done>,
        bytes: usize,
        receive: impl FnOnce(&mut Session, &mut Outbox) -> Step<'a>,
        note: impl FnOnce(&Received<'a>, &Outbox),
    ) -> Received<'a> {
        let (received, finished, stopped) = self.turn(|state| {
            let finished = done.and_then(|done| self.end(state, done));
            let (received, stopped) = self.take(state, bytes, receive);
            note(&received, &state.outbox);
            (received, finished, stopped)
        });
        self.ended(finished);
        self.ended(stopped);
        if let Received::Batch(batch) = &received {
            for call in &batch.cancelled {
                let ended = self.turn(|state| self.stop(state, call));
                self.ended(Some(ended));
            }
        }
        received
    }

    /// Passes a message to the session. A call that it cancels is stopped.
    fn take<'a>(
        &self,
        state: &mut State,
        bytes: usize,
        receive: impl FnOnce(&mut Session, &mut Outbox) -> Step<'a>,
    ) -> (Received<'a>, Option<Box<Ended>>) {
        let State { session: Some(session), outbox, table, .. } = state else {
            return (Received::Closed, None);
        };
        match receive(session, outbox) {
            Step::Call(call) => {
                let is_free = self.is_free(table);
                (Received::Call(Admission { call, bytes, is_free }), None)
            }
            Step::Cancel(call) => {
                let stopped = self.stop(state, &call);
                (Received::Cancelled(call), Some(stopped))
            }
            Step::Batch(batch) => (Received::Batch(Box::new(admissions(*batch, bytes))), None),
            Step::Idle => (Received::Nothing, None),
        }
    }

    /// Decodes a call's arguments and runs it: plain functions on a thread, all others on the
    /// runtime. Its answer is flushed.
    pub fn run(&self, call: Admission<'_>) {
        // The call becomes a task in any case, so it is counted before it begins.
        match self.begin(Admission { is_free: false, ..call }) {
            Some(run) => self.spawn(run),
            None => self.flush(),
        }
    }

    /// Decodes a call's arguments, for a host that polls calls in place: it polls the returned call
    /// and passes its result to [`Runner::finish`], or a pending call to [`Runner::spawn`]. `None`
    /// means that the call is answered already, waits, or runs on a thread.
    ///
    /// If several threads do this, each may exceed [`Limits::max_running`] by one call.
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
        // Most calls need no record of how to stop them.
        let is_plain =
            run.timeout().is_none() && run.cancel_token().is_none() && run.permit().is_none();
        if is_free && is_plain && run.kind() != Kind::Sync {
            return Some(run);
        }
        self.count_and_begin(run, bytes)
    }

    /// Begins a call that is noted in the table, now or once another one has ended.
    #[inline(never)]
    fn count_and_begin(&self, run: Run, bytes: usize) -> Option<Run> {
        let place = self.turn(|state| {
            if !state.is_running(run.id()) {
                return Place::Gone(run);
            }
            if self.is_free(&state.table) {
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

    /// Runs a pending call on the runtime to its end. Its answer is flushed.
    pub fn spawn(&self, run: Run) {
        let Some(runner) = self.this.upgrade() else { return };
        let call = run.id().clone();
        let task = self.runtime.spawn(Job::Call(run, runner)).abort_handle();
        // The call may have been cancelled or answered meanwhile.
        let refused = self.turn(|state| {
            if state.is_at_work(&call) {
                state.table.admit(call.number()).task = Some(task);
                return None;
            }
            Some(task)
        });
        abort(refused);
    }

    /// Answers a call with its result. The answer is sent with the next [flush](Runner::flush).
    pub fn finish(&self, done: Done) {
        let ended = self.turn(|state| self.end(state, done));
        self.ended(ended);
    }

    /// Cancels a call for a client that cancels by other means than a notification. Returns whether
    /// it was unanswered. Any message that follows is sent with the next [flush](Runner::flush).
    pub fn cancel(&self, call: &CallId) -> bool {
        let (was_running, ended) = self.turn(|state| {
            if state.table.is_promoted(call) {
                return (false, None);
            }
            let was_running = state.say(|session, outbox| session.cancel(call, outbox));
            (was_running == Some(true), Some(self.stop(state, call)))
        });
        self.ended(ended);
        was_running
    }

    /// Ends the session: stops all calls and answers those that are not answered yet.
    pub fn close(&self) {
        self.close_by(Failure::ShutDown);
    }

    /// Ends the session, whose calls have failed in this way.
    pub(crate) fn close_by(&self, failure: Failure<'_>) {
        let (session, stopped, reports) = self.turn(|state| {
            state.say(|session, outbox| session.close_by(failure, outbox));
            let mut stopped = state.table.stop_all();
            let mut reports = Vec::new();
            for stopped in &mut stopped {
                if let Some(report) = state.failed(stopped, failure) {
                    reports.push(report);
                }
            }
            (state.session.take(), stopped, reports)
        });
        for report in reports {
            self.report(report);
        }
        for stopped in stopped {
            stopped.stop();
        }
        panics::discard(session);
        self.flush();
    }

    /// Starts the calls that have waited for the client to read, once the [shell](super::Shell) is
    /// no longer behind.
    pub fn resume(&self) {
        while self.start_next() {}
        // A change that is not told yet stays noted, as a newer one may replace it.
        while self.turn(|state| !self.shell.is_behind() && state.tell_noted()) {
            self.flush();
        }
    }

    /// Starts a call that has waited, if it may start now. Returns whether there was one.
    pub(super) fn start_next(&self) -> bool {
        let Some(place) = self.turn(|state| self.next(state)) else { return false };
        if let Some(run) = self.settle(place) {
            self.spawn(run);
        }
        true
    }

    fn time_out(&self, call: &CallId) {
        let ended = self.turn(|state| {
            state.say(|session, outbox| session.time_out(call, outbox));
            let mut ended = self.stop(state, call);
            ended.report = state.failed(&mut ended.stopped, Failure::TimedOut);
            ended
        });
        ended.stopped.set_timed_out();
        self.ended(Some(ended));
        self.flush();
    }

    /// Answers a call. Most were never in the table, so nothing remains of them.
    fn end(&self, state: &mut State, done: Done) -> Option<Box<Ended>> {
        let mut noted = state.table.remove(done.id().number());
        let report = match noted.as_mut().and_then(Running::take_promoted) {
            Some(task) => state.end_of(task, &done),
            None => {
                state.say(|session, outbox| session.finish(done, outbox));
                None
            }
        };
        noted.map(|noted| {
            let stopped = Stopped::done(noted);
            Box::new(Ended { stopped, next: self.next(state), report })
        })
    }

    /// Removes a call that must stop, and selects the call that may start in its place.
    pub(super) fn stop(&self, state: &mut State, call: &CallId) -> Box<Ended> {
        let stopped = state.table.stop(call.number());
        Box::new(Ended { stopped, next: self.next(state), report: None })
    }

    /// Stops what was removed, and starts the call that has waited for it.
    pub(super) fn ended(&self, ended: Option<Box<Ended>>) {
        let Some(ended) = ended else { return };
        let Ended { stopped, next, report } = *ended;
        stopped.stop();
        if let Some(report) = report {
            self.report(report);
        }
        if let Some(run) = next.and_then(|place| self.settle(place)) {
            self.spawn(run);
        }
    }

    /// The waiting call that may start, now that another one has ended or goes on as a task.
    fn next(&self, state: &mut State) -> Option<Place> {
        let run = self.is_free(&state.table).then(|| state.table.next()).flatten()?;
        Some(self.place(state, run))
    }

    /// Adds an admitted call to the table, and decides where it runs.
    fn place(&self, state: &mut State, run: Run) -> Place {
        let timer = run.timeout().map(|limit| self.arm(run.id().clone(), limit));
        let promotion = self.arm_promotion(&run);
        let running = state.table.admit(run.id().number());
        running.timer = timer;
        running.promotion = promotion;
        running.cancel = run.cancel_token().cloned();
        if run.kind() != Kind::Sync {
            return Place::Here(run);
        }
        running.runner = self.this.upgrade().map(|runner| runner as Arc<dyn Send + Sync>);
        Place::Thread { needs_ticket: state.table.wait_for_thread(run) }
    }

    /// Carries out, without the lock, what was decided under it.
    fn settle(&self, place: Place) -> Option<Run> {
        match place {
            Place::Here(run) => return Some(run),
            Place::Queued | Place::Thread { needs_ticket: false } => {}
            Place::Thread { needs_ticket: true } => {
                self.threads.add(self.this.clone());
            }
            Place::Full(run) => self.finish(run.overloaded()),
            Place::Gone(run) => drop(run),
        }
        None
    }

    fn arm(&self, call: CallId, limit: Duration) -> AbortHandle {
        let runner = self.this.clone();
        let timer = self.clock.spawn(Job::of(async move {
            tokio::time::sleep(limit).await;
            if let Some(runner) = runner.upgrade() {
                runner.time_out(&call);
            }
        }));
        timer.abort_handle()
    }
}

impl Work for Runner {
    /// Runs the next plain function that waits for a thread.
    fn work(self: Arc<Self>) {
        let _context = self.runtime.enter();
        let run = self.turn(|state| state.table.take_for_thread());
        if let Some(run) = run
            && let Some(done) = run_in_place(run, |call| self.lock().is_at_work(call))
        {
            self.finish(done);
            self.flush();
        }
    }

    /// The runtime runs it.
    fn work_elsewhere(self: Arc<Self>) {
        let run = self.turn(|state| state.table.take_for_thread());
        run.into_iter().for_each(|run| self.spawn(run));
    }
}

/// The calls of a batch. None of them is free to start: each is counted before the next one begins.
fn admissions(batch: Batch<Call<'_>>, bytes: usize) -> Batch<Admission<'_>> {
    let bytes = bytes / batch.calls.len().max(1);
    batch.map(|call| Admission { call, bytes, is_free: false })
}
