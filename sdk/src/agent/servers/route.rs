//! What a session says, as messages of the control protocol.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::questions::Questions;
use crate::agent::channel::{Channel, Work};
use crate::agent::control::ReceivedId;
use crate::host::Shell;
use crate::mcp::{Label, Outbox};

/// Responses go out as answers to the control requests that brought the messages, notifications as
/// control requests of ours. Requests stay here, and their withdrawals.
pub(super) struct Route {
    questions: Arc<Questions>,
    channel: Arc<Channel>,
    waiting: Mutex<Waiting>,
}

/// The control requests that wait for responses of the session.
#[derive(Default)]
struct Waiting {
    /// The one whose message the session is taking now. Only the reader of the run gives messages,
    /// so there is one at most.
    present: Option<ReceivedId>,
    /// Those that brought calls or batches, by the numbers of these.
    calls: HashMap<u64, ReceivedId>,
}

impl Route {
    pub(super) fn new(questions: Arc<Questions>, channel: Arc<Channel>) -> Self {
        Self { questions, channel, waiting: Mutex::default() }
    }

    pub(super) fn questions(&self) -> &Questions {
        &self.questions
    }

    /// A control request has brought a message, which the session takes next.
    pub(super) fn begin(&self, id: ReceivedId) {
        self.waiting().present = Some(id);
    }

    /// The session has taken the message. Gives the control request unless it was answered.
    pub(super) fn end(&self) -> Option<ReceivedId> {
        self.waiting().present.take()
    }

    /// The response to a call or a batch will answer this control request; `stop` stops it.
    pub(super) fn expect(&self, call: u64, id: ReceivedId, stop: impl FnOnce() + Send + 'static) {
        self.channel.attach(&id, Work::Call(Box::new(stop)));
        self.waiting().calls.insert(call, id);
    }

    /// A call was cancelled by a message of its own, and so was its control request.
    pub(super) fn forget(&self, call: u64) {
        let id = self.waiting().calls.remove(&call);
        if let Some(id) = id {
            self.channel.forget(&id);
        }
    }

    /// Answers a control request whose message has no response.
    pub(super) fn acknowledge(&self, id: &ReceivedId) {
        self.channel.answer_mcp(id, r#"{"jsonrpc":"2.0","result":{},"id":0}"#);
    }

    #[cfg(test)]
    pub(super) fn calls(&self) -> usize {
        self.waiting().calls.len()
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shell for Arc<Route> {
    fn said(&self, outbox: &mut Outbox) {
        let mut later = Vec::<Box<dyn FnOnce() + Send>>::new();
        for (label, message) in outbox.messages() {
            let message = std::str::from_utf8(message).unwrap_or_default();
            let request = match label {
                Label::Response { call: Some(call), .. } => {
                    self.waiting().calls.remove(&call.number())
                }
                Label::Response { .. } | Label::Refusal { .. } => self.waiting().present.take(),
                // A control request has one answer: more of the batch is lost then.
                Label::Batch { number, .. } => {
                    let mut waiting = self.waiting();
                    let waits = waiting.calls.remove(number);
                    waits.or_else(|| waiting.present.take())
                }
                Label::Request { id, .. } => {
                    later.push(Box::new(self.questions.open(id, message)));
                    continue;
                }
                Label::Notification(_) => {
                    match self.questions.withdraw(message) {
                        Some(withdrawal) => later.push(Box::new(withdrawal)),
                        None => self.channel.send_mcp(self.questions.server(), message),
                    }
                    continue;
                }
            };
            request.iter().for_each(|request| self.channel.answer_mcp(request, message));
        }
        later.into_iter().for_each(|todo| outbox.later(todo));
        outbox.clear();
    }

    fn flush(&self, _: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        self.channel.flush();
    }
}
