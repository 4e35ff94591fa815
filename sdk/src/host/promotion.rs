//! Calls that take long and go on as tasks.

use std::sync::{Arc, Weak};
use std::task::Waker;

use tokio::task::AbortHandle;

use super::job::Job;
use super::runner::{Runner, State};
use super::table::{Promoted, Stopped};
use crate::ToolRegistry;
use crate::mcp::call::{CallResult, Failure};
use crate::mcp::rounds::{Answers, Notice, wake_all};
use crate::mcp::tasks::{Begun, End, Later, Permit, Worker};
use crate::mcp::{CallId, Context, Done, Run};
use crate::panics;

/// The call of a task.
struct Work {
    runner: Weak<Runner>,
    call: CallId,
    /// If it can ask.
    context: Option<Context>,
}

/// The end of a task, which nobody has been told yet.
#[must_use = "clients ask for it"]
pub(super) struct Report {
    task: Promoted,
    end: End,
    /// Whose sessions learn of it, when that of the call may be closed.
    registry: ToolRegistry,
}

impl Runner {
    /// Makes a call a task later, if it may become one and still runs then.
    pub(super) fn arm_promotion(&self, run: &Run) -> Option<AbortHandle> {
        let (permit, context) = run.permit()?;
        let (permit, context) = (permit.clone(), context.cloned());
        let (runner, call) = (self.this.clone(), run.id().clone());
        let patience = self.limits.task_after;
        let timer = self.clock.spawn(Job::of(async move {
            // A sleep of no time waits for the next tick of the clock all the same.
            if !patience.is_zero() {
                tokio::time::sleep(patience).await;
            }
            if let Some(runner) = runner.upgrade() {
                // The end of the call may stop the timer, but not what has begun.
                let clock = runner.clock.clone();
                drop(clock.spawn(Job::of(runner.promote(call, permit, context))));
            }
        }));
        Some(timer.abort_handle())
    }

    async fn promote(self: Arc<Self>, call: CallId, permit: Permit, context: Option<Context>) {
        let Permit { tasks, owner } = permit;
        let runner = Arc::downgrade(&self);
        let worker = Work { runner, call: call.clone(), context: context.clone() };
        let Some(Begun { id, members, ttl, is_kept }) = tasks.begin(owner, Arc::new(worker)).await
        else {
            return;
        };
        let task = Promoted { tasks: tasks.clone(), id: id.clone(), subject: None };
        if self.go_on(&call, context, task, &members) {
            // Tasks that have ended may be forgotten earlier, for others.
            let _ = tokio::time::timeout(ttl, is_kept).await;
        }
        tasks.forget(&id).await;
    }

    /// Answers a call with the task that it goes on as. Returns false if the call has ended.
    fn go_on(
        self: Arc<Self>,
        call: &CallId,
        context: Option<Context>,
        task: Promoted,
        members: &str,
    ) -> bool {
        let notice = self.notice(&task);
        let woken = self.turn(|state| state.promote(call, context.as_ref(), task, members, notice));
        self.flush();
        if woken.is_ok() {
            self.start_next();
        }
        // Over HTTP this counts as a request, which the task may be done with long before its end.
        drop(self);
        panics::discard(context);
        let Ok((wakers, notice)) = woken else { return false };
        wake_all(wakers);
        if let Some(notice) = notice {
            notice();
        }
        true
    }

    /// Stops the call of a task that needs it no longer. One that has not become a task is to be
    /// answered.
    fn stop_task(&self, call: &CallId) {
        let ended =
            self.turn(|state| state.table.is_promoted(call).then(|| self.stop(state, call)));
        self.ended(ended);
    }

    /// Tells those who ask for a task how it has ended.
    pub(super) fn report(&self, report: Report) {
        let Report { task: Promoted { tasks, id, .. }, end, registry } = report;
        let ended = id.clone();
        self.tell(registry, id, Box::pin(async move { tasks.end(&ended, end).await }));
    }

    /// Tells those who ask for a task what it asks them.
    fn notice(&self, task: &Promoted) -> Notice {
        let (runner, tasks, id) = (self.this.clone(), task.tasks.clone(), task.id.clone());
        Arc::new(move || {
            let Some(runner) = runner.upgrade() else { return };
            let registry = runner.lock().session.as_ref().map(|it| it.registry().clone());
            let Some(registry) = registry else { return };
            let (tasks, asking) = (tasks.clone(), id.clone());
            let asked = Box::pin(async move { tasks.ask(&asking).await });
            runner.tell(registry, id.clone(), asked);
        })
    }

    /// Notifies those who listen for a task of a change, once it is stored.
    fn tell(&self, registry: ToolRegistry, id: Box<str>, stored: Later<'static, ()>) {
        // Over HTTP a service that stops waits for its runners.
        let runner = self.this.upgrade();
        let told = async move {
            stored.await;
            registry.task_changed(&id).await;
            drop(runner);
        };
        drop(self.clock.spawn(Job::of(told)));
    }
}

impl State {
    /// Answers a call with the task that it goes on as. Returns what to wake and to call, or the
    /// task if the call has ended, or its round.
    fn promote(
        &mut self,
        call: &CallId,
        context: Option<&Context>,
        task: Promoted,
        members: &str,
        notice: Notice,
    ) -> Result<(Vec<Waker>, Option<Notice>), Promoted> {
        if !self.is_running(call) {
            return Err(task);
        }
        let woken = match context.map(|context| context.talk().begin_task(notice)) {
            None => (Vec::new(), None),
            Some(Some(woken)) => woken,
            Some(None) => return Err(task),
        };
        let subject = self.say(|session, outbox| session.promote(call, members, outbox));
        self.table.promote(call.number(), Promoted { subject: subject.flatten(), ..task });
        Ok(woken)
    }

    /// The end of a call that goes on as a task.
    pub(super) fn end_of(&self, task: Promoted, done: &Done) -> Option<Report> {
        self.report_of(task, &done.result)
    }

    /// The end of a task, if this was one, that the host has stopped.
    pub(super) fn failed(&self, stopped: &mut Stopped, failure: Failure<'_>) -> Option<Report> {
        let task = stopped.take_promoted()?;
        let result = task.subject.as_ref()?.failure(failure);
        self.report_of(task, &result)
    }

    fn report_of(&self, task: Promoted, result: &CallResult) -> Option<Report> {
        let session = self.session.as_ref()?;
        let registry = session.registry().clone();
        Some(Report { task, end: session.end_of_task(result), registry })
    }
}

impl Worker for Work {
    fn questions(&self) -> Option<String> {
        self.context.as_ref()?.talk().questions()
    }

    fn answer(&self, answers: &Answers) {
        if let Some(context) = &self.context {
            context.talk().answer(answers);
        }
    }

    fn stop(&self) {
        if let Some(runner) = self.runner.upgrade() {
            runner.stop_task(&self.call);
        }
    }
}
