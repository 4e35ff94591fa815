//! What does not come as a message: questions for permission and progress, for whoever watches.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use super::always::always;
use super::event::Event;
use super::reply::Reply;
use super::user_question::{UserQuestion, questions};
use crate::agent::options::AgentOptionsBuilder;
use crate::agent::permission::{Permission, PermissionRequest};
use crate::agent::progress::ToolProgress;

/// Of so many calls the progress is kept until it is shown.
const MOST_CALLS: usize = 1024;

/// What the model is told when nobody can answer.
const NOBODY: &str = "nobody is there to permit it";

/// Between a run, which may ask at any time, and a view, which takes one after the other.
#[derive(Debug, Default)]
pub(super) struct Desk {
    state: Mutex<State>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// Of each call the latest, the oldest first: nobody may ever watch these calls.
    progress: VecDeque<Report>,
    questions: VecDeque<Question>,
    is_closed: bool,
}

#[derive(Debug)]
struct Report {
    progress: ToolProgress,
    /// It came before the messages that are watched, so it is shown only if its call is.
    is_early: bool,
}

/// What the view takes.
#[derive(Debug)]
pub(super) enum Item {
    Progress(Event),
    Question(Box<Question>),
}

/// A question that waits. It is no longer asked once nobody waits for the answer.
#[derive(Debug)]
pub(super) struct Question {
    /// That of the call, unless that stands for another question in the view.
    pub(super) id: String,
    pub(super) request: PermissionRequest,
    answer: oneshot::Sender<Permission>,
}

impl Desk {
    /// Makes a run ask here.
    pub(super) fn attach(self: &Arc<Self>, options: AgentOptionsBuilder) -> AgentOptionsBuilder {
        let (asked, told) = (self.clone(), self.clone());
        options
            .include_partial_messages(true)
            .can_use_tool(async move |request: PermissionRequest| asked.ask(request).await)
            .on_tool_progress(move |progress| told.progress(progress))
    }

    /// Everything that waits and will ask is denied.
    pub(super) fn close(&self) {
        let questions = {
            let state = &mut *self.state();
            state.is_closed = true;
            std::mem::take(&mut state.questions)
        };
        drop(questions);
    }

    /// The next thing to show; waits for one.
    pub(super) async fn next(&self) -> Item {
        loop {
            let arrived = self.arrived.notified();
            match self.take() {
                // Nobody has seen it.
                Some(Item::Question(question)) if question.is_withdrawn() => {}
                Some(item) => return item,
                None => arrived.await,
            }
        }
    }

    /// Other messages are watched now.
    pub(super) fn begin(&self) {
        self.state().progress.iter_mut().for_each(|report| report.is_early = true);
    }

    /// The latest progress of a call that is shown.
    pub(super) fn progress_of(&self, id: &str) -> Option<Event> {
        let state = &mut *self.state();
        let at = state.progress.iter().position(|report| report.is_of(id))?;
        state.progress.remove(at).map(Report::event)
    }

    fn take(&self) -> Option<Item> {
        let state = &mut *self.state();
        let news = state.progress.iter().position(|report| !report.is_early);
        if let Some(report) = news.and_then(|at| state.progress.remove(at)) {
            return Some(Item::Progress(report.event()));
        }
        state.questions.pop_front().map(|question| Item::Question(Box::new(question)))
    }

    pub(super) async fn ask(&self, request: PermissionRequest) -> Permission {
        let (answer, answered) = oneshot::channel();
        {
            let state = &mut *self.state();
            if state.is_closed {
                return Permission::deny(NOBODY);
            }
            let id = request.tool_use_id.clone();
            state.questions.push_back(Question { id, request, answer });
        }
        self.arrived.notify_one();
        answered.await.unwrap_or_else(|_| Permission::deny(NOBODY))
    }

    pub(super) fn progress(&self, progress: ToolProgress) {
        {
            let state = &mut *self.state();
            if state.is_closed {
                return;
            }
            let known = state.progress.iter().position(|it| it.is_of(&progress.tool_use_id));
            let report = Report { progress, is_early: false };
            match known {
                Some(at) => state.progress[at] = report,
                None => {
                    if state.progress.len() == MOST_CALLS {
                        state.progress.pop_front();
                    }
                    state.progress.push_back(report);
                }
            }
        }
        self.arrived.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Report {
    fn is_of(&self, id: &str) -> bool {
        self.progress.tool_use_id == id
    }

    fn event(self) -> Event {
        let ToolProgress { tool_use_id: id, done, total, message } = self.progress;
        Event::Progress { id, done, total, message }
    }
}

impl Question {
    pub(super) fn event(&self) -> Event {
        let (request, id) = (&self.request, self.id.clone());
        if let Some(questions) = self.of_the_model() {
            return Event::UserQuestions { id, questions };
        }
        let reason = [&request.description, &request.decision_reason, &request.blocked_path];
        let reason: Vec<_> = reason.into_iter().flatten().map(String::as_str).collect();
        Event::Question {
            id,
            name: request.tool_name.clone(),
            input: request.input.clone(),
            reason: (!reason.is_empty()).then(|| reason.join("; ")),
            always: always(request),
            default_to_no: request.default_to_no,
        }
    }

    /// What the model asks the user; `None` if it is about a permission.
    pub(super) fn of_the_model(&self) -> Option<Vec<UserQuestion>> {
        questions(&self.request).filter(|questions| !questions.is_empty())
    }

    /// Gives the answer.
    pub(super) fn answer(self, reply: Reply) -> Event {
        let id = self.id.clone();
        let permission = reply.permission(&self.request);
        let is_allowed = permission.is_allowed();
        let is_taken = self.answer.send(permission).is_ok();
        Event::Answer { id, is_allowed: is_taken.then_some(is_allowed) }
    }

    pub(super) fn is_withdrawn(&self) -> bool {
        self.answer.is_closed()
    }

    /// Waits until the question is no longer asked.
    pub(super) async fn withdrawn(&mut self) {
        self.answer.closed().await;
    }
}

#[cfg(test)]
mod tests;
