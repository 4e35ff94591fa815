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
        let state = &mut *self.lock();
        let ruled = state.rules.iter().find(|rule| rule.fits(part, &request));
        let ruled = ruled.map(|rule| rule.reply.clone());
        let (requests, scripted, rest) = match part {
            Part::Main => {
                let scripted = || state.turns.pop_front().or_else(|| state.ever_after.clone());
                let rest = "The script of the model has no more turns.";
                (&mut state.requests, ruled.or_else(scripted), rest)
            }
            _ => {
                let mut turns = (part == Part::Agent).then_some(&mut state.agent_turns);
                let scripted = || turns.as_mut()?.pop_front();
                let rest = "This request is not of the scripted conversation.";
                (&mut state.side_requests, ruled.or_else(scripted), rest)
            }
        };
        requests.push(request);
        scripted.unwrap_or_else(|| Reply::new().text(rest))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
