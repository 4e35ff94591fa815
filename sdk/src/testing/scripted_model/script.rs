//! The script of the model, and the requests that it has received.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::conversation::Part;
use super::request::RecordedRequest;
use super::rule::Rule;
use crate::testing::reply::Reply;

/// The script, shared by the handle and the server.
#[derive(Clone, Debug, Default)]
pub(super) struct Script(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) rules: Vec<Rule>,
    pub(super) turns: VecDeque<Reply>,
    pub(super) ever_after: Option<Reply>,
    pub(super) agent_turns: VecDeque<Reply>,
    pub(super) requests: Vec<RecordedRequest>,
    pub(super) side_requests: Vec<RecordedRequest>,
}

impl Script {
    /// Records a request and takes its reply.
    pub(super) fn answer(&self, request: RecordedRequest, part: Part) -> Reply {
        let mut state = self.lock();
        if part == Part::Main {
            let ruled = state.rules.iter().find(|rule| rule.fits(&request));
            let ruled = ruled.map(|rule| rule.reply.clone());
            state.requests.push(request);
            if let Some(reply) = ruled {
                return reply;
            }
            let scripted = state.turns.pop_front().or_else(|| state.ever_after.clone());
            let rest = || Reply::new().text("The script of the model has no more turns.");
            return scripted.unwrap_or_else(rest);
        }
        state.side_requests.push(request);
        let scripted = if part == Part::Agent { state.agent_turns.pop_front() } else { None };
        let aside = || Reply::new().text("This request is not of the scripted conversation.");
        scripted.unwrap_or_else(aside)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
