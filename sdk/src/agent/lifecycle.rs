//! Where a run is: whether it was stopped, when the CLI's input may be closed, how it ended.

use std::future::pending;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::error::{ProcessExit, RunError};
use super::message::Peek;
use super::run_end::{RunEnd, Verdict};
use super::transport::exited;

/// The state of one run.
pub(crate) struct Lifecycle {
    state: Mutex<State>,
    /// Wakes the driver when `stop` or `deadline` has changed, or something else has to be seen to.
    changed: Arc<Notify>,
    exit: watch::Sender<Option<ProcessExit>>,
    limits: Limits,
}

/// How long the output of a CLI that takes no more input may go on: one that has died is told of by
/// the end of its output, which says more.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// How long a one-shot run waits for its CLI. Without a limit it waits for ever.
pub(crate) struct Limits {
    /// For work in the background.
    pub(crate) background: Option<Duration>,
    /// For the end of the CLI, once nothing else is expected of it.
    pub(crate) end: Duration,
}

#[derive(Default)]
struct State {
    /// A conversation has none.
    run_end: Option<RunEnd>,
    /// How many prompts are being written. The CLI's input is not closed before they are.
    writing: usize,
    /// The CLI's input is to be closed, so that it takes no more prompts.
    is_closed: bool,
    /// What the CLI is waited for, and until when.
    waits_for: Option<Awaited>,
    deadline: Option<Instant>,
    /// The deadline has passed.
    is_overdue: bool,
    /// The last result was an error, so that the exit status says nothing new.
    has_error_result: bool,
    stop: Option<Stop>,
    /// The CLI ends or has ended.
    is_ending: bool,
    /// Why the run fails, as soon as that is known.
    error: Option<RunError>,
    /// How the process failed, even if a result has explained why.
    death: Option<RunError>,
}

#[derive(Clone, Copy, PartialEq)]
enum Awaited {
    Background,
    End,
}

/// Why a run is ended from our side.
pub(crate) enum Stop {
    Closed,
    Failed(RunError),
}

impl Lifecycle {
    /// A one-shot run has a `run_end`. `changed` wakes the driver.
    pub(crate) fn new(run_end: Option<RunEnd>, limits: Limits, changed: Arc<Notify>) -> Self {
        let state = State { run_end, ..State::default() };
        Self { state: Mutex::new(state), changed, exit: watch::Sender::new(None), limits }
    }

    /// Ends the run from our side; the first reason counts.
    pub(crate) fn stop(&self, why: Stop) {
        self.state().stop.get_or_insert(why);
        self.changed.notify_one();
    }

    /// Why the run fails, once that is known.
    pub(crate) fn error(&self) -> Option<RunError> {
        let state = self.state();
        match (&state.error, &state.stop) {
            (Some(error), _) | (None, Some(Stop::Failed(error))) => Some(error.clone()),
            (None, _) => None,
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.state().stop.is_some()
    }

    /// The CLI ends: it takes no more input, and how it ends is known once it is gone.
    pub(crate) fn ending(&self) {
        self.state().is_ending = true;
    }

    /// Whether the CLI ends, or has ended, and not because the run was stopped.
    pub(crate) fn is_ending(&self) -> bool {
        let state = self.state();
        state.is_ending && state.stop.is_none()
    }

    /// The CLI takes no more input. Unless it ends soon, the run fails.
    pub(crate) async fn unwritable(&self, error: io::Error) {
        sleep(LAST_WORDS).await;
        {
            let state = &mut *self.state();
            if state.is_ending || state.waits_for == Some(Awaited::End) {
                return;
            }
            state.stop.get_or_insert(Stop::Failed(RunError::Transport(error.into())));
        }
        self.changed.notify_one();
    }

    /// Waits until the run was stopped or its deadline has changed.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Waits for the deadline, if there is one by now.
    pub(crate) async fn overdue(&self) {
        loop {
            let deadline = self.state().deadline;
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => pending().await,
            }
            // It may have moved meanwhile.
            let state = &mut *self.state();
            if state.deadline == deadline {
                state.is_overdue = true;
                return;
            }
        }
    }

    /// Whether it makes no difference that the main conversation goes on. Then its messages, which
    /// are most of all messages, need not be looked into.
    pub(crate) fn is_at_work(&self) -> bool {
        let state = self.state();
        !state.has_error_result
            && state.deadline.is_none()
            && state.run_end.as_ref().is_none_or(RunEnd::is_at_work)
    }

    /// Whether the run may go on after its input is closed. A conversation is read turn by turn.
    pub(crate) fn is_one_shot(&self) -> bool {
        self.state().run_end.is_some()
    }

    /// Keeps the CLI's input open until a line with a prompt is [`written`](Lifecycle::written).
    /// False if it is to be closed: then no prompt may be written any more.
    pub(crate) fn keep_open(&self) -> bool {
        let state = &mut *self.state();
        if !state.is_closed {
            state.writing += 1;
        }
        !state.is_closed
    }

    /// The line with a prompt was added. True if the CLI's input is to be closed now.
    pub(crate) fn written(&self) -> bool {
        self.state().writing -= 1;
        self.follow(None, |_| ())
    }

    /// A prompt that is answered is going to be written.
    pub(crate) fn prompt(&self) {
        // The result before this prompt explains nothing that happens from here on.
        self.follow(Some(false), RunEnd::prompt);
    }

    /// From now on the CLI may ask for something, so that its input stays open until the end.
    pub(crate) fn need_us(&self) {
        self.follow(None, RunEnd::need_us);
    }

    /// No more prompts will come. True if the CLI's input is to be closed.
    pub(crate) fn no_more_prompts(&self) -> bool {
        self.follow(None, RunEnd::no_more_prompts)
    }

    /// Takes note of a message. True if the CLI's input is to be closed.
    pub(crate) fn note(&self, peek: &Peek<'_>) -> bool {
        match peek {
            Peek::State { state, .. } => self.follow(None, |run| run.state(state)),
            Peek::Result { is_error } => self.follow(Some(*is_error), RunEnd::result),
            Peek::Init => self.follow(Some(false), |_| ()),
            Peek::Work => self.follow(Some(false), RunEnd::work),
            Peek::TaskStarted { id, kind } => self.follow(None, |run| run.task_started(id, kind)),
            Peek::TaskEnded { id } => self.follow(None, |run| run.task_ended(id)),
            Peek::Control(_) | Peek::Internal | Peek::Mirror | Peek::Other => false,
        }
    }

    /// Why the run failed, if it did: it was stopped for a failure, or the process has one that no
    /// error result has explained. A process that had to be ended after the last result has none.
    pub(crate) fn failure(
        &self,
        exit: &ProcessExit,
        failure: Option<RunError>,
    ) -> Option<RunError> {
        let state = &mut *self.state();
        let is_explained = state.has_error_result || state.is_overdue;
        let has_failed = exit.status.is_some_and(|status| !status.success());
        state.error = match state.stop.take() {
            Some(Stop::Closed) => None,
            Some(Stop::Failed(error)) => Some(error),
            None => {
                state.death = has_failed.then(|| RunError::Process(exit.clone()));
                failure.or_else(|| state.death.clone().filter(|_| !is_explained))
            }
        };
        state.error.clone()
    }

    /// How the process failed, unless the run was stopped. The error result of one prompt explains
    /// nothing to others that have no result.
    pub(crate) fn death(&self) -> Option<RunError> {
        self.state().death.clone()
    }

    /// The process has ended.
    pub(crate) fn end(&self, exit: ProcessExit) {
        self.exit.send_replace(Some(exit));
    }

    /// How the process ended, once it has.
    pub(crate) fn exit(&self) -> Option<ProcessExit> {
        self.exit.borrow().clone()
    }

    /// Waits for the end of the process.
    pub(crate) async fn ended(&self) -> ProcessExit {
        exited(&mut self.exit.subscribe()).await
    }

    /// Tells `run_end` of an event. True if the CLI's input is to be closed.
    fn follow(&self, is_error: Option<bool>, event: impl FnOnce(&mut RunEnd)) -> bool {
        let (closes, waits) = {
            let state = &mut *self.state();
            state.has_error_result = is_error.unwrap_or(state.has_error_result);
            let Some(run_end) = &mut state.run_end else { return false };
            event(run_end);
            let verdict = run_end.verdict();
            let (waits_for, limit) = match (run_end.is_over(), verdict) {
                (true, _) => (Some(Awaited::End), Some(self.limits.end)),
                (_, Verdict::Lingering) => (Some(Awaited::Background), self.limits.background),
                _ => (None, None),
            };
            // A CLI that says something after its result gets more time to end.
            if waits_for != state.waits_for || waits_for == Some(Awaited::End) {
                state.waits_for = waits_for;
                state.deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
            }
            let closes = verdict == Verdict::Close && state.writing == 0;
            state.is_closed |= closes;
            (closes, waits_for.is_some())
        };
        if waits {
            self.changed.notify_one();
        }
        closes
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
