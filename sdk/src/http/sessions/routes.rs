//! Which message of a session goes to which of its streams.

use std::sync::Arc;

use tokio::time::Instant;

use super::super::open::Place;
use super::super::outlet::{Message, Part};
use super::errors::{CANCELLED, cancelled};
use super::table::Table;
use crate::host::Received;
use crate::mcp::{About, CallId, Label, Outbox};

impl Table {
    /// Learns what the session has received for a stream, before it gets the messages. The calls
    /// keep their place.
    pub(super) fn note(
        &mut self,
        stream: u64,
        place: &Arc<Place>,
        received: &Received<'_>,
        outbox: &Outbox,
    ) {
        self.present = stream;
        match received {
            Received::Call(call) => self.expect(stream, place, call.id().number(), None),
            Received::Cancelled(call) => self.cancel(call, outbox),
            Received::Batch(batch) => {
                for call in &batch.calls {
                    self.expect(stream, place, call.id().number(), Some(batch.number));
                }
                for call in &batch.cancelled {
                    self.cancel(call, outbox);
                }
            }
            _ => {}
        }
    }

    /// Takes the messages of the session.
    pub(super) fn take(&mut self, outbox: &mut Outbox) {
        for (label, text) in outbox.drain() {
            let (stream, part) = match label {
                Label::Response { call: Some(call), error, .. } => {
                    self.last_end = Some(Instant::now());
                    (self.leave(call.number()).map(|(stream, _)| stream), Part::Answer(error))
                }
                Label::Response { error, version, .. } => {
                    if error.is_none() {
                        self.version.get_or_insert(version);
                    }
                    (Some(self.present), Part::Answer(error))
                }
                Label::Refusal { error, .. } => (Some(self.present), Part::Answer(Some(error))),
                Label::Batch { number, .. } => {
                    let stream = self.stream_of(number).unwrap_or(self.present);
                    self.last_end = Some(Instant::now());
                    self.leave_all(stream);
                    (Some(stream), Part::Answer(None))
                }
                // What asks the client must be on the stream of the call that asks.
                Label::Request { call, .. } => (self.stream_of(call.number()), Part::Asks),
                Label::Notification(About::Call(call)) => {
                    (self.stream_of(call.number()), Part::Before)
                }
                // Each goes to one stream only, as the specification demands.
                Label::Notification(About::Session) => (self.listener(), Part::Change),
                Label::Notification(About::Custom) => (self.listener(), Part::Before),
                Label::Notification(About::Subscription(_)) => continue,
            };
            if let Some(stream) = stream {
                self.say(stream, Message { text, part });
            }
        }
    }

    /// Some clients wait for the end of the stream of a call that they have cancelled. Before it
    /// they learn which of its questions need no answer any more.
    fn cancel(&mut self, call: &CallId, outbox: &Outbox) {
        let Some((number, batch)) = self.leave(call.number()) else { return };
        self.last_end = Some(Instant::now());
        let about_it = Label::Notification(About::Call(call.clone()));
        for (_, text) in outbox.messages().filter(|(label, _)| **label == about_it) {
            self.say(number, Message { text: text.to_vec(), part: Part::Before });
        }
        if let Some(batch) = batch {
            let is_answer =
                |label: &Label| matches!(label, Label::Batch { number, .. } if *number == batch);
            if outbox.awaits(batch) || outbox.messages().any(|(label, _)| is_answer(label)) {
                return;
            }
            self.leave_all(number);
        }
        if self.streams.get(&number).is_some_and(|stream| stream.has_begun) {
            self.end(number);
        } else {
            let text = cancelled(batch.is_none().then(|| call.request_id()));
            self.say(number, Message { text, part: Part::Answer(Some(CANCELLED)) });
        }
    }
}
