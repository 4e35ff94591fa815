//! The messages of a session, and the work for its host once it has released its lock.

mod batches;

use std::fmt;

use batches::Batches;

use super::link::CallId;
use super::protocol::{
    ErrorObject, RequestId, Revision, SUBSCRIPTION_ID, Write, write_error, write_json,
    write_method, write_result,
};
use crate::panics;

/// The bytes of most results: the buffer need not grow for them.
const RESULT: usize = 256;

/// Messages of a session, each a whole line of JSON, in the order in which they go to the client.
/// See [`Session`](super::Session) for an example.
#[derive(Debug, Default)]
pub struct Outbox {
    bytes: Vec<u8>,
    /// What each message is, and where it ends; `None` if the host needs no labels.
    labels: Option<Vec<(Label, usize)>>,
    batches: Batches,
    after: After,
}

/// The kind of one message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Label {
    /// The answer to a request.
    #[non_exhaustive]
    Response {
        /// The id of the request.
        id: RequestId,
        /// The call that it answers, if the request was a call.
        call: Option<CallId>,
        /// The code, if it is an error response.
        error: Option<i64>,
        /// The revision of the protocol that the answer is in, such as `2025-11-25`.
        version: &'static str,
    },
    /// An error that answers no request, as the id of a request cannot be used.
    #[non_exhaustive]
    Refusal {
        /// The code.
        error: i64,
        /// The revision of the protocol that the error is in, such as `2025-11-25`.
        version: &'static str,
    },
    /// An array of answers to the messages of a [batch](super::Batch).
    #[non_exhaustive]
    Batch {
        /// The number of the batch.
        number: u64,
        /// False if more arrays with answers of the batch follow, as all in one would use too much
        /// memory.
        is_last: bool,
    },
    /// A notification.
    Notification(About),
    /// A request to the client.
    #[non_exhaustive]
    Request {
        /// Its id.
        id: RequestId,
        /// The call that asks.
        call: CallId,
    },
}

/// What a notification is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum About {
    /// A running call.
    Call(CallId),
    /// The subscription that this request has opened.
    Subscription(RequestId),
    /// The session as a whole.
    Session,
    /// Something outside of the protocol: of two that are alike the client gets both.
    Custom,
}

/// Work for a host once it has released the lock on its session, as this may run user code: events
/// for `tracing`, wake-ups, destructors.
#[derive(Default)]
#[must_use = "run it once no lock is held"]
pub struct After(Vec<Box<dyn FnOnce() + Send>>);

impl Outbox {
    /// For a host that sends all messages the same way: without labels.
    pub fn new() -> Self {
        Self::default()
    }

    /// For a host that treats each message by its label.
    pub fn labelled() -> Self {
        Self { labels: Some(Vec::new()), ..Self::default() }
    }

    /// For a host that answers each message of its own: with labels, and with one array for a
    /// batch. Answers for which it would use too much memory become errors.
    #[cfg(feature = "http")]
    pub(crate) fn of_exchanges() -> Self {
        Self { batches: Batches::whole(), ..Self::labelled() }
    }

    /// True if there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The length of all messages, in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Takes all messages, each with a line feed at its end. `empty` becomes the new buffer, so
    /// that its memory is used again.
    pub fn take(&mut self, empty: Vec<u8>) -> Vec<u8> {
        self.labels.iter_mut().for_each(Vec::clear);
        std::mem::replace(&mut self.bytes, empty)
    }

    /// Each message of a [labelled](Outbox::labelled) outbox, without its line feed.
    pub fn messages(&self) -> impl Iterator<Item = (&Label, &[u8])> {
        let mut from = 0;
        self.labels.iter().flatten().map(move |(label, end)| {
            let message = self.bytes.get(from..end.saturating_sub(1)).unwrap_or_default();
            from = *end;
            (label, message)
        })
    }

    /// Takes the messages of a labelled outbox, each without its line feed. The only one, as there
    /// is mostly one, is not copied.
    #[cfg(feature = "http")]
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = (Label, Vec<u8>)> {
        let mut bytes = std::mem::take(&mut self.bytes);
        let labels = self.labels.iter_mut().flat_map(|labels| labels.drain(..));
        let mut from = 0;
        labels.map(move |(label, end)| {
            let text = match from == 0 && end == bytes.len() {
                true => {
                    bytes.pop();
                    std::mem::take(&mut bytes)
                }
                false => bytes.get(from..end.saturating_sub(1)).unwrap_or_default().to_vec(),
            };
            from = end;
            (label, text)
        })
    }

    /// Removes the messages, which have been sent.
    pub fn clear(&mut self) {
        const KEEP: usize = 1024 * 1024;
        let mut bytes = self.take(Vec::new());
        bytes.clear();
        bytes.shrink_to(KEEP);
        self.bytes = bytes;
    }

    /// Takes the work to do once no lock is held.
    pub fn take_after(&mut self) -> After {
        std::mem::take(&mut self.after)
    }

    /// Defers work until no lock is held.
    pub(crate) fn later(&mut self, f: impl FnOnce() + Send + 'static) {
        self.after.0.push(Box::new(f));
    }

    pub(crate) fn result(
        &mut self,
        id: &RequestId,
        call: Option<&CallId>,
        revision: Revision,
        write: Write<'_>,
    ) {
        let from = self.bytes.len();
        self.bytes.reserve(RESULT);
        write_result(&mut self.bytes, id, write);
        self.answer(from, Some(id), call, None, revision);
    }

    pub(crate) fn error(
        &mut self,
        id: &RequestId,
        call: Option<&CallId>,
        revision: Revision,
        error: &ErrorObject,
    ) {
        let from = self.bytes.len();
        write_error(&mut self.bytes, Some(id), error);
        self.answer(from, Some(id), call, Some(error.code), revision);
    }

    /// An error for a request whose id cannot be used.
    pub(crate) fn refusal(&mut self, revision: Revision, error: &ErrorObject) {
        let from = self.bytes.len();
        write_error(&mut self.bytes, None, error);
        self.answer(from, None, None, Some(error.code), revision);
    }

    /// The session takes the messages of a batch next: what answers them is sent as one array.
    pub(crate) fn begin_batch(&mut self, number: u64) {
        self.batches.begin(number);
    }

    /// The present batch waits for the answer to a call.
    pub(crate) fn wait_for(&mut self, call: &CallId) {
        self.batches.wait_for(call.number);
    }

    /// True if answers to a batch are missing.
    #[cfg(feature = "http")]
    pub(crate) fn awaits(&self, batch: u64) -> bool {
        self.batches.has(batch)
    }

    /// The session has taken all messages of the present batch.
    pub(crate) fn end_batch(&mut self) {
        let number = self.batches.end();
        self.settle(number);
    }

    /// A call will not be answered.
    pub(crate) fn forget(&mut self, call: &CallId) {
        let number = self.batches.of(Some(call.number));
        self.settle(number);
    }

    pub(crate) fn notification(&mut self, about: About, method: &str, params: Option<Write<'_>>) {
        write_method(&mut self.bytes, None, method, params);
        self.label(|| Label::Notification(about));
    }

    /// A notification on a subscription; `members` writes its members except `_meta`, each with a
    /// comma after it.
    pub(crate) fn on_subscription(&mut self, id: &RequestId, method: &str, members: Write<'_>) {
        let mut params = |out: &mut Vec<u8>| {
            members(out);
            out.extend_from_slice(b"\"_meta\":{");
            write_json(out, SUBSCRIPTION_ID);
            out.push(b':');
            id.write(out);
            out.push(b'}');
        };
        self.notification(About::Subscription(id.clone()), method, Some(&mut params));
    }

    pub(crate) fn request(
        &mut self,
        id: RequestId,
        call: &CallId,
        method: &str,
        params: Write<'_>,
    ) {
        write_method(&mut self.bytes, Some(&id), method, Some(params));
        self.label(|| Label::Request { id, call: call.clone() });
    }

    /// Keeps the answer that was just written, from the byte `from` on, if it is one of a batch.
    fn answer(
        &mut self,
        from: usize,
        id: Option<&RequestId>,
        call: Option<&CallId>,
        error: Option<i64>,
        revision: Revision,
    ) {
        let Some(number) = self.batches.of(call.map(|call| call.number)) else {
            return self.label(|| answer_label(id, call, error, revision));
        };
        if self.batches.is_full() {
            self.bytes.truncate(from);
            let message = "the answers to the batch have more than 16 MiB; send this request alone";
            let error = ErrorObject::internal(message);
            write_error(&mut self.bytes, id, &error);
        }
        self.batches.keep(number, self.bytes.get(from..).unwrap_or_default().trim_ascii_end());
        self.bytes.truncate(from);
        self.settle(Some(number));
    }

    /// Sends the answers of a batch if it is time.
    fn settle(&mut self, number: Option<u64>) {
        let Some(number) = number else { return };
        if let Some((answers, is_last)) = self.batches.due(number) {
            self.bytes.push(b'[');
            self.bytes.extend_from_slice(&answers);
            self.bytes.extend_from_slice(b"]\n");
            self.label(|| Label::Batch { number, is_last });
        }
    }

    fn label(&mut self, label: impl FnOnce() -> Label) {
        let end = self.bytes.len();
        if let Some(labels) = &mut self.labels {
            labels.push((label(), end));
        }
    }
}

impl After {
    /// Runs all of it, in order. A panic ends only the item that caused it.
    #[inline]
    pub fn run(self) {
        if !self.0.is_empty() {
            self.0.into_iter().for_each(|todo| drop(panics::catch(todo)));
        }
    }
}

/// A response, or without an id a refusal.
fn answer_label(
    id: Option<&RequestId>,
    call: Option<&CallId>,
    error: Option<i64>,
    revision: Revision,
) -> Label {
    let version = revision.profile().version;
    match id.cloned() {
        Some(id) => Label::Response { id, call: call.cloned(), error, version },
        None => Label::Refusal { error: error.unwrap_or_default(), version },
    }
}

impl fmt::Debug for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "After({})", self.0.len())
    }
}
