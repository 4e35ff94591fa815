//! Calls of any kind, from their request to their answer.

use std::sync::Arc;

use super::state::Session;
use crate::mcp::call::{Call, Decoder, Done, Failure, Kind, Subject};
use crate::mcp::context::{Asking, Reach, Seed};
use crate::mcp::extensions::Extensions;
use crate::mcp::link::CallId;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, LoggingLevel, Request, Revision};
use crate::scan;

impl Session {
    /// Adds a call to those in flight.
    pub(super) fn begin<'a>(
        &mut self,
        request: &Request<'a>,
        revision: Revision,
        asking: Asking<'a>,
        subject: Arc<dyn Subject>,
        decoder: Arc<dyn Decoder>,
    ) -> Result<Call<'a>, ErrorObject> {
        let log_level = match (revision.profile().has_handshake, request.params.meta.log_level) {
            (true, _) => Some(self.connection.log_level),
            (false, None | Some("null")) => None,
            (false, Some(raw)) => Some(log_level(raw)?),
        };
        let reach = match asking.reach {
            Reach::Client if subject.kind() != Kind::Async => Reach::Plain,
            Reach::Client if !self.can_ask && !revision.profile().has_rounds => Reach::Nobody,
            reach => reach,
        };
        let seed = Seed {
            connection: self.connection.clone(),
            call: self.in_flight.insert(&request.id, revision, subject),
            revision,
            meta: request.params.meta.text,
            progress_token: request.params.meta.progress_token,
            log_level,
            extensions: Extensions::within(&self.connection.extensions),
            asking: Asking { reach, ..asking },
            given: None,
            permit: None,
        };
        Ok(Call::new(decoder, seed))
    }

    /// Answers a call with its result, unless it was cancelled or answered before.
    pub fn finish(&mut self, done: Done, out: &mut Outbox) {
        if self.in_flight.take(&done.call).is_some() {
            self.answer(&done.call, done.revision, &done.result, out);
        }
    }

    /// Answers a call that exceeded its timeout, unless it was cancelled or answered before. The
    /// host then stops it.
    pub fn time_out(&mut self, call: &CallId, out: &mut Outbox) {
        if let Some(entry) = self.in_flight.take(call) {
            self.answer(call, entry.revision, &entry.subject.failure(Failure::TimedOut), out);
        }
    }

    /// Cancels a call for a client that cancels by other means than a notification. Returns whether
    /// it was unanswered. The session sends nothing more for it.
    pub fn cancel(&mut self, call: &CallId, out: &mut Outbox) -> bool {
        self.questions.withdraw_all_of(call, out);
        let was_running = self.in_flight.take(call).is_some();
        if was_running {
            out.forget(call);
        }
        was_running
    }

    /// Ends the session: answers running calls in the way that their kind demands at shutdown,
    /// withdraws questions and closes subscriptions. The host stops the calls.
    pub fn close(&mut self, out: &mut Outbox) {
        self.close_by(Failure::ShutDown, out);
    }

    /// Ends the session, whose calls have failed in this way.
    pub(crate) fn close_by(&mut self, failure: Failure<'_>, out: &mut Outbox) {
        for (call, entry) in self.in_flight.drain() {
            self.answer(&call, entry.revision, &entry.subject.failure(failure), out);
        }
        self.subscriptions.close(&self.registry.server().info_json, out);
    }
}

/// The JSON text of a call's arguments, if there are any.
pub(super) fn arguments<'a>(request: &Request<'a>) -> Result<Option<&'a str>, ErrorObject> {
    match request.params.arguments {
        None | Some("null") => Ok(None),
        Some(text) if text.starts_with('{') => Ok(Some(text)),
        Some(_) => Err(ErrorObject::invalid_params("`arguments` must be an object")),
    }
}

/// The level that a raw value names.
pub(super) fn log_level(raw: &str) -> Result<LoggingLevel, ErrorObject> {
    scan::string(raw).and_then(|name| LoggingLevel::of(&name)).ok_or_else(|| {
        ErrorObject::invalid_params(
            "the log level must be one of debug, info, notice, warning, error, critical, alert, \
             emergency",
        )
    })
}
