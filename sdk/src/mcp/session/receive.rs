//! From a line to the messages in it.

use super::state::Session;
use super::step::{Batch, Step};
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Message, Request, RequestId};
use crate::mcp::words::split_last;
use crate::scan::{self, Members};

/// How many messages a batch may have.
const MOST: usize = 1_000;

impl Session {
    /// Takes one line of the client, without its end. Any bytes are allowed.
    pub fn receive<'a>(&mut self, line: &'a [u8], out: &mut Outbox) -> Step<'a> {
        match std::str::from_utf8(line) {
            Ok(text) => self.receive_message(Message::read(text), text, out),
            Err(_) => self.unreadable(line, out),
        }
    }

    /// Takes a message that its host has read from `text`.
    pub(crate) fn receive_message<'a>(
        &mut self,
        message: Message<'a>,
        text: &'a str,
        out: &mut Outbox,
    ) -> Step<'a> {
        match &message {
            // Not moved, as it is large.
            Message::Request(request) => self.request(request, text, out),
            Message::Batch => self.batch(text, out),
            _ => self.other(message, text, out),
        }
    }

    /// Takes a line that was too long to be kept: `head` has its first bytes, `tail` its last,
    /// `length` is its length in bytes.
    pub fn receive_too_long(&mut self, head: &[u8], tail: &[u8], length: usize, out: &mut Outbox) {
        let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
        let message = format!(
            "Invalid request: the line has {length} bytes, which is more than this server reads"
        );
        let error = ErrorObject::invalid_request(message);
        if is_response(&head) {
            let id = Message::id_of_broken(&head).or(last_id(&tail));
            return self.questions.refused(id, error, out);
        }
        if scan::elements(&head).is_ok() {
            return self.refuse_batch(error, out);
        }
        let id =
            RequestId::of_unreadable(&head).or_else(|| last_id(&tail).and_then(RequestId::read));
        self.reject((id, error), out);
    }

    #[cold]
    fn unreadable(&mut self, line: &[u8], out: &mut Outbox) -> Step<'static> {
        let text = String::from_utf8_lossy(line);
        let message = "Parse error: the line is not valid UTF-8";
        let error = ErrorObject::parse_error(message);
        self.refuse_message(&text, (RequestId::of_unreadable(&text), error), out);
        Step::Idle
    }

    /// Takes a message that is no request.
    #[inline(never)]
    fn other(&mut self, message: Message<'_>, text: &str, out: &mut Outbox) -> Step<'static> {
        match message {
            Message::Notification(method, params) => {
                return self.notification(&method, &params, out);
            }
            Message::Response(response) => self.questions.answered(&response, out),
            Message::Invalid { id: None, has_id: true, error }
                if self.unnamed().profile().has_errors_without_id =>
            {
                out.refusal(self.unnamed(), &error);
            }
            Message::Invalid { id, error, .. } => self.refuse_message(text, (id, error), out),
            Message::Request(_) | Message::Batch => {}
        }
        Step::Idle
    }

    /// Takes an array of messages.
    #[inline(never)]
    fn batch<'a>(&mut self, text: &'a str, out: &mut Outbox) -> Step<'a> {
        // Of a broken array no message takes effect.
        if !scan::is_json(text) {
            self.reject((None, ErrorObject::not_json()), out);
            return Step::Idle;
        }
        let profile = self.unnamed().profile();
        let elements = match profile.has_batches {
            true => elements_of_batch(text),
            false => {
                let version = profile.version;
                let message = format!("Invalid request: MCP {version} has no batches of messages");
                Err(ErrorObject::invalid_request(message))
            }
        };
        let elements = match elements {
            Ok(elements) => elements,
            Err(error) => {
                self.refuse_batch(error, out);
                return Step::Idle;
            }
        };
        let number = self.in_flight.number();
        let mut batch = Batch { number, calls: Vec::new(), cancelled: Vec::new() };
        out.begin_batch(number);
        for element in elements {
            match self.element(element, out) {
                Step::Call(call) => {
                    out.wait_for(call.id());
                    batch.calls.push(call);
                }
                Step::Cancel(id) => match batch.calls.iter().position(|call| *call.id() == *id) {
                    Some(at) => batch.calls.remove(at).discard(out),
                    None => batch.cancelled.push(*id),
                },
                Step::Idle | Step::Batch(_) => {}
            }
        }
        out.end_batch();
        match batch.calls.is_empty() && batch.cancelled.is_empty() {
            true => Step::Idle,
            false => Step::Batch(Box::new(batch)),
        }
    }

    /// Takes one message of a batch.
    fn element<'a>(&mut self, text: &'a str, out: &mut Outbox) -> Step<'a> {
        let error = match Message::read(text) {
            Message::Request(request) => match refusal_in_batch(&request) {
                None => return self.request(&request, text, out),
                Some(refusal) => {
                    let error = ErrorObject::invalid_request(refusal);
                    out.error(&request.id, None, self.unnamed(), &error);
                    return Step::Idle;
                }
            },
            Message::Invalid { id: None, error, .. }
                if error.code == ErrorObject::INVALID_REQUEST =>
            {
                error
            }
            // It is JSON, as all of the batch is.
            Message::Invalid { id: None, .. } | Message::Batch => {
                ErrorObject::invalid_request("Invalid request: a message must be an object")
            }
            message => return self.other(message, text, out),
        };
        out.refusal(self.unnamed(), &error);
        Step::Idle
    }

    /// Answers an array with an error. It has no id, which JSON-RPC demands for batches and the
    /// schemas of MCP allow from 2025-11-25 on.
    fn refuse_batch(&self, error: ErrorObject, out: &mut Outbox) {
        let profile = self.unnamed().profile();
        match profile.has_batches || profile.has_errors_without_id {
            true => out.refusal(self.unnamed(), &error),
            false => self.reject((None, error), out),
        }
    }

    /// Refuses what cannot be read of a message. The client would not repeat an answer, so the
    /// question that it belongs to fails.
    fn refuse_message(
        &mut self,
        text: &str,
        refusal: (Option<RequestId>, ErrorObject),
        out: &mut Outbox,
    ) {
        match is_response(text) {
            true => self.questions.refused(Message::id_of_broken(text), refusal.1, out),
            false => self.reject(refusal, out),
        }
    }

    /// Answers with an error. Without a usable id the error goes to the log alone.
    fn reject(&self, (id, error): (Option<RequestId>, ErrorObject), out: &mut Outbox) {
        match id {
            Some(id) => out.error(&id, None, self.unnamed(), &error),
            None => out.later(move || {
                tracing::warn!(%error, "a line was dropped: it holds no request to answer");
            }),
        }
    }
}

/// The messages of a batch, or why it is refused as a whole.
pub(crate) fn elements_of_batch(text: &str) -> Result<Vec<&str>, ErrorObject> {
    let mut elements = Vec::new();
    if let Ok(found) = scan::elements(text) {
        elements.extend(found.take(MOST + 1));
    }
    let refused = |message| Err(ErrorObject::invalid_request(message));
    match elements.len() {
        0 => refused("Invalid request: the batch is empty"),
        count if count > MOST => refused("Invalid request: the batch has more than 1,000 messages"),
        _ => Ok(elements),
    }
}

/// Why a batch cannot have this request.
fn refusal_in_batch(request: &Request<'_>) -> Option<&'static str> {
    // MCP 2025-03-26, lifecycle.
    if request.method == "initialize" {
        return Some("Invalid request: `initialize` must not be part of a batch");
    }
    let is_enveloped = request.params.meta.names_its_revision();
    is_enveloped.then_some("Invalid request: the revision of this request has no batches")
}

/// True if a message that starts with `head` answers a request of the session; it gets no answer.
fn is_response(head: &str) -> bool {
    let Ok(mut members) = Members::of(head) else { return false };
    let mut has_answer = false;
    while let Ok(Some(key)) = members.key() {
        let key = scan::unescape(key);
        has_answer |= matches!(&*key, "result" | "error");
        if key == "method" || members.value().is_err() {
            return has_answer && key != "method";
        }
    }
    has_answer
}

/// The id, if it is the last member of the message that ends with `tail`: what stands directly
/// before the last brace cannot be nested.
fn last_id(tail: &str) -> Option<&str> {
    let (_, id) = split_last(tail.trim_ascii_end().strip_suffix('}')?, "\"id\":")?;
    Some(id.trim_ascii())
}
