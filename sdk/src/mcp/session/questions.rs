//! Requests to the client that are not answered yet.

use std::str::FromStr;

use serde_json::Value;
use tokio::sync::oneshot;

use crate::mcp::link::{Answered, AskError, CallId};
use crate::mcp::outbox::{About, Outbox};
use crate::mcp::protocol::{ErrorObject, Response, Write, write_json};
use crate::mcp::rounds::ANSWER;
use crate::scan;

/// How many questions may be open in a session.
const MOST: usize = 64;

/// The questions, of which there are few.
#[derive(Default)]
pub(super) struct Questions {
    open: Vec<Question>,
    /// The number of the last one.
    pub(super) last: u64,
    /// Why no more are asked.
    refusal: Option<AskError>,
}

struct Question {
    /// A number that the session assigns.
    id: u64,
    call: CallId,
    answer: oneshot::Sender<Answered>,
}

impl Questions {
    /// Sends a question of a call, and returns its id; too many at once are refused, and all once
    /// they are closed.
    pub(super) fn ask(
        &mut self,
        call: &CallId,
        method: &str,
        params: Write<'_>,
        answer: oneshot::Sender<Answered>,
        out: &mut Outbox,
    ) -> Option<u64> {
        let is_full = self.open.len() >= MOST;
        if let Some(error) = self.refusal.clone().or(is_full.then_some(AskError::Overloaded)) {
            deliver(answer, Err(error), out);
            return None;
        }
        self.last += 1;
        self.open.push(Question { id: self.last, call: call.clone(), answer });
        out.request(self.last.into(), call, method, params);
        Some(self.last)
    }

    /// Delivers the client's answer to the call that asked. An unknown id belongs to a question
    /// that was withdrawn.
    pub(super) fn answered(&mut self, response: &Response<'_>, out: &mut Outbox) {
        let Some(question) = self.take_named(response.id) else { return };
        let error = response.error.filter(|error| *error != "null");
        let answer = match (error, response.result) {
            (Some(error), _) => Err(AskError::Refused(refusal(error))),
            (None, Some(result)) if result.len() > ANSWER => {
                Err(AskError::Invalid("it has more than 1 MiB".to_owned()))
            }
            (None, Some(result)) => Ok(result.into()),
            (None, None) => {
                let message = "the answer has neither result nor error";
                Err(AskError::Refused(ErrorObject::invalid_request(message)))
            }
        };
        deliver(question.answer, answer, out);
    }

    /// The client's answer to a question cannot be read.
    pub(super) fn refused(&mut self, id: Option<&str>, error: ErrorObject, out: &mut Outbox) {
        if let Some(question) = self.take_named(id) {
            deliver(question.answer, Err(AskError::Refused(error)), out);
        }
    }

    /// Withdraws a question; sends nothing for one that was answered.
    pub(super) fn withdraw(&mut self, id: u64, out: &mut Outbox) {
        self.give_up(id, AskError::Closed, out);
    }

    /// Withdraws the questions of calls with these numbers: they fail with this error.
    pub(super) fn give_up_all_of(&mut self, calls: &[u64], error: &AskError, out: &mut Outbox) {
        let mut ids = Vec::new();
        for question in &self.open {
            if calls.contains(&question.call.number) {
                ids.push(question.id);
            }
        }
        for id in ids {
            self.give_up(id, error.clone(), out);
        }
    }

    /// Withdraws all questions: they and those that follow fail with this error.
    #[cfg(feature = "host")]
    pub(super) fn close(&mut self, error: &AskError, out: &mut Outbox) {
        self.refusal = Some(error.clone());
        while let Some(id) = self.open.first().map(|question| question.id) {
            self.give_up(id, error.clone(), out);
        }
    }

    fn give_up(&mut self, id: u64, error: AskError, out: &mut Outbox) {
        let Some(question) = self.take(id) else { return };
        deliver(question.answer, Err(error), out);
        let mut params = |out: &mut Vec<u8>| {
            out.extend_from_slice(b"\"requestId\":");
            write_json(out, &id);
        };
        let about = About::Call(question.call);
        out.notification(about, "notifications/cancelled", Some(&mut params));
    }

    /// Withdraws the questions of an ended call.
    pub(super) fn withdraw_all_of(&mut self, call: &CallId, out: &mut Outbox) {
        self.give_up_all_of(&[call.number], &AskError::Closed, out);
    }

    /// Removes the question that the id of an answer names.
    fn take_named(&mut self, id: Option<&str>) -> Option<Question> {
        self.take(id.and_then(integer)?)
    }

    fn take(&mut self, id: u64) -> Option<Question> {
        let at = self.open.iter().position(|question| question.id == id)?;
        Some(self.open.remove(at))
    }
}

/// Wakes the call that asked, which must not happen under the host's lock.
pub(super) fn deliver(answer: oneshot::Sender<Answered>, with: Answered, out: &mut Outbox) {
    // If that call has ended, the answer is not needed.
    out.later(move || drop(answer.send(with)));
}

/// The client's error. One without a message is shown as it is.
fn refusal(error: &str) -> ErrorObject {
    let code = scan::member(error, "code").and_then(integer).unwrap_or(ErrorObject::INTERNAL_ERROR);
    let message = scan::text(error, "message").unwrap_or(error.into());
    let data = scan::member(error, "data").and_then(|data| data.parse().ok());
    let data = data.filter(|data: &Value| !data.is_null());
    ErrorObject { data, ..ErrorObject::new(code, message.into_owned()) }
}

/// A client whose numbers are all floating-point writes `1` as `1.0`.
fn integer<N: FromStr>(number: &str) -> Option<N> {
    number.strip_suffix(".0").unwrap_or(number).parse().ok()
}
