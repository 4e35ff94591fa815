//! From a line to the request in it.

use serde::de::IgnoredAny;

use super::state::Session;
use crate::mcp::call::Call;
use crate::mcp::link::CallId;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Message, Meta, Params, Request, RequestId, Revision};
use crate::scan::{self, Members};

/// What the host must do next. The messages of the session are in the outbox.
#[derive(Debug)]
#[non_exhaustive]
#[must_use]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Step<'a> {
    /// Nothing.
    Idle,
    /// Start and run this call.
    Call(Call<'a>),
    /// Stop this call; the client wants no answer.
    Cancel(CallId),
}

impl Session {
    /// Takes one line of the client, without its end. Any bytes are allowed.
    pub fn receive<'a>(&mut self, line: &'a [u8], out: &mut Outbox) -> Step<'a> {
        let Ok(text) = std::str::from_utf8(line) else {
            let text = String::from_utf8_lossy(line);
            self.reject(unreadable(&text, "Parse error: the line is not valid UTF-8"), out);
            return Step::Idle;
        };
        match Message::read(text, decodes_arguments) {
            Message::Request(request) => return self.request(&request, text, out),
            Message::Notification(method, params) => {
                return self.notification(&method, &params, out);
            }
            Message::Response(response) => self.questions.answered(&response, out),
            Message::Invalid { id, error } => self.reject((id, error), out),
        }
        Step::Idle
    }

    /// Takes a line that was too long to be kept: `head` has its first bytes, `tail` its last,
    /// `length` is its length in bytes.
    pub fn receive_too_long(&mut self, head: &[u8], tail: &[u8], length: usize, out: &mut Outbox) {
        let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
        let message = format!(
            "Invalid request: the line has {length} bytes, which is more than this server reads"
        );
        let error = ErrorObject::new(ErrorObject::INVALID_REQUEST, message);
        if is_response(&head) {
            let id = scan::member(&head, "id").or(last_id(&tail));
            return self.questions.refused(id, error, out);
        }
        let (id, _) = unreadable(&head, "");
        let id = id.or_else(|| last_id(&tail).and_then(RequestId::read));
        self.reject((id, error), out);
    }

    fn request<'a>(&mut self, request: &Request<'a>, line: &str, out: &mut Outbox) -> Step<'a> {
        let checked = self.check(request);
        let step = checked.and_then(|(meta, revision)| self.route(request, &meta, revision, out));
        step.unwrap_or_else(|error| {
            // No decoder has checked the grammar of the arguments.
            let is_json = serde_json::from_str::<IgnoredAny>(line).is_ok();
            let error = if is_json { error } else { ErrorObject::not_json() };
            let is_modern = self.is_modern(request, &Meta::read(request.params.meta));
            let revision = if is_modern { Revision::LATEST } else { self.legacy };
            out.error(&request.id, None, revision, &error);
            let id = request.id.clone();
            out.later(move || tracing::debug!(%id, %error, "a request was refused"));
            Step::Idle
        })
    }

    /// Checks what every request must have, and returns the revision it is in.
    fn check<'a>(&self, request: &Request<'a>) -> Result<(Meta<'a>, Revision), ErrorObject> {
        if request.params.ill_typed {
            return Err(ErrorObject::invalid_params("`params` must be an object"));
        }
        if self.in_flight.contains(&request.id) || self.subscriptions.contains(&request.id) {
            return Err(ErrorObject::new(
                ErrorObject::INVALID_REQUEST,
                "Invalid request: a request with this id is still being answered",
            ));
        }
        let meta = Meta::read(request.params.meta);
        if !self.is_modern(request, &meta) {
            return Ok((meta, self.legacy));
        }
        if request.method == "initialize" && !meta.names_its_revision() {
            let requested = request.params.get("protocolVersion").and_then(scan::string);
            return Err(ErrorObject::unsupported(&requested.unwrap_or_default()));
        }
        let revision = Revision::for_request(&meta.version()?)?;
        Ok((meta, revision))
    }

    /// True if a request belongs to the modern era.
    fn is_modern(&self, request: &Request<'_>, meta: &Meta<'_>) -> bool {
        let eras = self.registry.server().eras;
        let claims = || meta.names_its_revision() || request.method == "server/discover";
        eras.modern() && (!eras.legacy() || claims())
    }

    /// The method table.
    fn route<'a>(
        &mut self,
        request: &Request<'a>,
        meta: &Meta<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Step<'a>, ErrorObject> {
        let method = &*request.method;
        let is_known = |method: &&str| revision.profile().methods.contains(method);
        match method {
            "tools/call" => {
                return self.call_tool(request, meta, revision, out).map(Step::Call);
            }
            "tools/list" => self.list_tools(request, revision, out)?,
            method if !is_known(&method) => return Err(not_found(method)),
            "initialize" => self.initialize(request, out)?,
            "ping" => out.result(&request.id, None, revision, |_| {}),
            "logging/setLevel" => self.set_log_level(request, out)?,
            "server/discover" => self.discover(request, revision, out),
            "subscriptions/listen" => {
                self.subscriptions.open(request, out)?;
                self.hear_changes();
            }
            method => return Err(not_found(method)),
        }
        Ok(Step::Idle)
    }

    fn notification(
        &mut self,
        method: &str,
        params: &Params<'_>,
        out: &mut Outbox,
    ) -> Step<'static> {
        match method {
            "notifications/cancelled" => return self.cancelled(params, out),
            "notifications/initialized" if self.registry.server().eras.legacy() => {
                self.initialized();
            }
            _ => {}
        }
        Step::Idle
    }

    /// `notifications/cancelled`: frees the id and sends nothing more for the call. An unknown or
    /// finished request is ignored, as MCP demands.
    fn cancelled(&mut self, params: &Params<'_>, out: &mut Outbox) -> Step<'static> {
        let Some(id) = params.get("requestId").and_then(RequestId::read) else {
            return Step::Idle;
        };
        self.subscriptions.cancel(&id);
        match self.in_flight.find(&id) {
            Some(call) => {
                self.cancel(&call, out);
                Step::Cancel(call)
            }
            None => Step::Idle,
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

    /// The revision of a message that cannot name one.
    fn unnamed(&self) -> Revision {
        match self.registry.server().eras.legacy() {
            true => self.legacy,
            false => Revision::LATEST,
        }
    }
}

/// True if a decoder checks the grammar of the arguments of `method`.
fn decodes_arguments(method: &str) -> bool {
    method == "tools/call"
}

fn not_found(method: &str) -> ErrorObject {
    ErrorObject::new(ErrorObject::METHOD_NOT_FOUND, format!("Method not found: {method}"))
}

/// The id for the answer to a line that cannot be read as it is.
fn unreadable(text: &str, message: &'static str) -> (Option<RequestId>, ErrorObject) {
    let id = match Message::read(text, decodes_arguments) {
        Message::Request(request) => Some(request.id),
        Message::Invalid { id, .. } => id,
        Message::Notification(..) | Message::Response(_) => None,
    };
    // The client never sent an id with replaced bytes, so no answer may have it.
    let id = id.filter(|id| !id.to_string().contains(char::REPLACEMENT_CHARACTER));
    (id, ErrorObject::new(ErrorObject::PARSE_ERROR, message))
}

/// True if a message that starts with `head` answers a request of the session; it gets no answer.
fn is_response(head: &str) -> bool {
    let Ok(mut members) = Members::of(head) else { return false };
    let mut has_answer = false;
    while let Ok(Some(key)) = members.key() {
        has_answer |= matches!(key, "result" | "error");
        if key == "method" || members.value().is_err() {
            return has_answer && key != "method";
        }
    }
    has_answer
}

/// The id, if it is the last member of the message that ends with `tail`: what stands directly
/// before the last brace cannot be nested.
fn last_id(tail: &str) -> Option<&str> {
    let (_, id) = tail.trim_end().strip_suffix('}')?.rsplit_once("\"id\":")?;
    Some(id.trim())
}
