//! What a session says, as messages of the control protocol.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::questions::Questions;
use crate::agent::channel::{Channel, Work};
use crate::agent::control::ReceivedId;
use crate::agent::progress::{ProgressListener, ToolProgress, tool_use_id};
use crate::mcp::{About, CallId, Label, Outbox};
use crate::{panics, scan};

/// Responses go out as answers to the control requests that brought the messages, notifications as
/// control requests of ours. Requests stay here, and their withdrawals.
pub(super) struct Route {
    questions: Arc<Questions>,
    channel: Arc<Channel>,
    listener: Option<ProgressListener>,
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
    /// What the model calls them, if somebody listens to their progress.
    tool_uses: HashMap<u64, String>,
}

impl Route {
    pub(super) fn new(
        questions: Arc<Questions>,
        channel: Arc<Channel>,
        listener: Option<ProgressListener>,
    ) -> Self {
        Self { questions, channel, listener, waiting: Mutex::default() }
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

    /// This message has begun a call, to whose progress somebody may listen.
    pub(super) fn listen(&self, call: u64, message: &str) {
        if self.listener.is_some()
            && let Some(id) = tool_use_id(message)
        {
            self.waiting().tool_uses.insert(call, id);
        }
    }

    /// A call was cancelled by a message of its own, and so was its control request.
    pub(super) fn forget(&self, call: u64) {
        let id = self.waiting().take(call);
        if let Some(id) = id {
            self.channel.forget(&id);
        }
    }

    /// If the message begins the session anew, the CLI has connected again. It waits for no call
    /// of before, does not say so, and counts its requests from the beginning.
    pub(super) fn abandon_before(&self, message: &str) {
        let begins = message.contains("\"initialize\"")
            && scan::text(message, "method").as_deref() == Some("initialize");
        if begins {
            self.abandon("the server was connected again");
        }
    }

    /// Cancels all calls, as the CLI waits for none of them any more.
    pub(super) fn abandon(&self, why: &str) {
        let calls: Vec<_> = self.waiting().calls.values().cloned().collect();
        for id in &calls {
            self.channel.abandon(id, why);
        }
    }

    /// Takes the messages of the session out of the outbox.
    pub(super) fn said(&self, outbox: &mut Outbox) {
        let mut later = Vec::<Box<dyn FnOnce() + Send>>::new();
        for (label, message) in outbox.messages() {
            let message = std::str::from_utf8(message).unwrap_or_default();
            let request = match label {
                Label::Response { call: Some(call), .. } => self.waiting().take(call.number()),
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
                Label::Notification(about) => {
                    if let About::Call(call) = about {
                        later.extend(self.progress(call, message));
                    }
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

    pub(super) fn flush(&self) {
        self.channel.writer.flush();
    }

    /// Answers a control request whose message has no response.
    pub(super) fn acknowledge(&self, id: &ReceivedId) {
        self.channel.answer_mcp(id, r#"{"jsonrpc":"2.0","result":{},"id":0}"#);
    }

    #[cfg(test)]
    pub(super) fn calls(&self) -> usize {
        self.waiting().calls.len()
    }

    /// Tells the listener of a call's progress, if the message is about that.
    fn progress(&self, call: &CallId, message: &str) -> Option<Box<dyn FnOnce() + Send>> {
        let listener = self.listener.clone()?;
        let progress = {
            let waiting = self.waiting();
            ToolProgress::read(message, waiting.tool_uses.get(&call.number())?)?
        };
        Some(Box::new(move || {
            if let Err(panic) = panics::catch(|| listener(progress)) {
                tracing::error!(target: "toolwright::agent", panic, "on_tool_progress panicked");
            }
        }))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Forgets a call and gives the control request that brought it.
    fn take(&mut self, call: u64) -> Option<ReceivedId> {
        self.tool_uses.remove(&call);
        self.calls.remove(&call)
    }
}
