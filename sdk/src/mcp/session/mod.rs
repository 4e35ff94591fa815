//! The state machine of one MCP connection: a line in, what to do out. It does no I/O, knows no
//! clock and runs nothing.

mod in_flight;
mod lifecycle;
mod notify;
mod tools;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Weak};

use super::call::{Call, Done};
use super::context::Host;
use super::link::{CallId, Link};
use super::protocol::{
    CLIENT_CAPABILITIES, ErrorObject, LoggingLevel, Message, Meta, PROTOCOL_VERSION, Params,
    Request, RequestId, Revision, is_id, write_error, write_result,
};
use super::registry::{Listing, ToolRegistry};
use in_flight::InFlight;

/// One connection's side of the protocol.
///
/// The host of a session gives it every line ([`Session::receive`]), runs the calls that come of
/// it, gives back what they came to ([`Session::finish`]) and sends what the session writes: whole
/// lines, in the order in which they were written.
pub struct Session {
    registry: ToolRegistry,
    link: Weak<dyn Link>,
    host: Host,
    /// The tools as of `generation` of the registry.
    listing: Arc<Listing>,
    generation: u64,
    in_flight: InFlight,
    legacy: Legacy,
    subscriptions: Vec<Subscription>,
    /// The registry tells `link` of changes.
    is_told: bool,
}

/// What `initialize` and `logging/setLevel` settled; the modern era has no such state.
struct Legacy {
    revision: Revision,
    client: Option<Arc<str>>,
    log_level: LoggingLevel,
    initialized: bool,
}

/// An open `subscriptions/listen`.
struct Subscription {
    id: RequestId,
    to_tools: bool,
}

/// What the host has to do next. What there was to say is written already.
#[derive(Debug)]
#[must_use]
pub enum Step<'a> {
    /// Nothing.
    Idle,
    /// Start and run this call.
    Call(Call<'a>),
    /// Stop this call and forget it: the client wants no answer.
    Cancel(CallId),
}

impl Session {
    /// A session of `registry`. Through `link` running tools and the registry reach it; a dead one
    /// keeps them silent.
    pub fn new(registry: &ToolRegistry, host: Host, link: Weak<dyn Link>) -> Self {
        Self {
            registry: registry.clone(),
            link,
            host,
            generation: registry.generation(),
            listing: registry.listing(),
            in_flight: InFlight::default(),
            legacy: Legacy {
                revision: Revision::LATEST_LEGACY,
                client: None,
                log_level: LoggingLevel::Info,
                initialized: false,
            },
            subscriptions: Vec::new(),
            is_told: false,
        }
    }

    /// Takes one line, without its end, and appends to `out` what is to be said at once.
    pub fn receive<'a>(&mut self, line: &'a [u8], out: &mut Vec<u8>) -> Step<'a> {
        let Ok(text) = std::str::from_utf8(line) else {
            let text = String::from_utf8_lossy(line);
            self.reject(unreadable(&text, "Parse error: the line is not valid UTF-8"), out);
            return Step::Idle;
        };
        match Message::read(text) {
            Message::Request(request) => self.request(request, out),
            Message::Notification(method, params) => self.notification(&method, &params),
            // This server asks nothing, so an answer can only be a mistake.
            Message::Response => Step::Idle,
            Message::Invalid { id, error } => {
                self.reject((id, error), out);
                Step::Idle
            }
        }
    }

    /// Takes a line that was too long to be kept: `head` is its beginning, `tail` its end, `length`
    /// its length in bytes.
    pub fn receive_too_long(&mut self, head: &[u8], tail: &[u8], length: usize, out: &mut Vec<u8>) {
        let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
        let (id, _) = unreadable(&head, "");
        let message = format!(
            "Invalid request: the line has {length} bytes, which is more than this server reads"
        );
        self.reject(
            (id.or(last_id(&tail)), ErrorObject::new(ErrorObject::INVALID_REQUEST, message)),
            out,
        );
    }

    fn request<'a>(&mut self, request: Request<'a>, out: &mut Vec<u8>) -> Step<'a> {
        match self
            .check(&request)
            .and_then(|(meta, revision)| self.route(&request, &meta, revision, out))
        {
            Ok(step) => step,
            Err(error) => {
                tracing::debug!(id = request.id, %error, "a request was refused");
                write_error(out, request.id, &error);
                Step::Idle
            }
        }
    }

    /// What every request must have, and the era it is in.
    fn check<'a>(&self, request: &Request<'a>) -> Result<(Meta<'a>, Revision), ErrorObject> {
        let eras = self.registry.server().eras;
        if request.params.ill_typed {
            return Err(ErrorObject::invalid_params("`params` must be an object"));
        }
        if self.in_flight.contains(request.id)
            || self.subscriptions.iter().any(|subscription| subscription.id.as_json() == request.id)
        {
            return Err(ErrorObject::new(
                ErrorObject::INVALID_REQUEST,
                "Invalid request: a request with this id is still being answered",
            ));
        }
        let meta = Meta::read(request.params.meta);
        if !eras.modern()
            || (eras.legacy() && !meta.is_modern() && request.method != "server/discover")
        {
            return Ok((meta, self.legacy.revision));
        }
        if request.method == "initialize" && !meta.is_modern() {
            return Err(unsupported(request.params.get("protocolVersion")));
        }
        envelope(&meta).map(|()| (meta, Revision::V2026_07_28))
    }

    /// The method table.
    fn route<'a>(
        &mut self,
        request: &Request<'a>,
        meta: &Meta<'a>,
        revision: Revision,
        out: &mut Vec<u8>,
    ) -> Result<Step<'a>, ErrorObject> {
        match (&*request.method, revision.is_modern()) {
            ("tools/call", _) => return self.call(request, meta, revision).map(Step::Call),
            ("tools/list", _) => self.list_tools(request, revision, out)?,
            ("initialize", false) => self.initialize(request, out)?,
            ("ping", false) => write_result(out, request.id, |_| {}),
            ("logging/setLevel", false) => self.set_log_level(request, out)?,
            ("server/discover", true) => self.discover(request, out),
            ("subscriptions/listen", true) => self.listen(request, out)?,
            (method, _) => {
                return Err(ErrorObject::new(
                    ErrorObject::METHOD_NOT_FOUND,
                    format!("Method not found: {method}"),
                ));
            }
        }
        Ok(Step::Idle)
    }

    fn notification(&mut self, method: &str, params: &Params<'_>) -> Step<'static> {
        match method {
            "notifications/cancelled" => return self.cancelled(params),
            "notifications/initialized" if self.registry.server().eras.legacy() => {
                self.legacy.initialized = true;
                self.hear_of_changes();
            }
            _ => {}
        }
        Step::Idle
    }

    /// Answers a call with what it came to, unless it was cancelled or answered before.
    pub fn finish(&mut self, done: Done, out: &mut Vec<u8>) {
        if self.in_flight.remove(&done.call) {
            self.write_done(&done, out);
        }
    }

    /// Cancels a call on behalf of a client that says so by other means than a notification; says
    /// whether it still waited.
    pub fn cancel(&mut self, call: &CallId) -> bool {
        self.in_flight.remove(call)
    }

    /// Whether the client still waits for this call's answer.
    pub fn is_running(&self, call: &CallId) -> bool {
        self.in_flight.is_running(call)
    }

    /// How many calls are not answered yet.
    pub fn running(&self) -> usize {
        self.in_flight.len()
    }

    /// The registry that is served.
    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }

    /// The tools as they are now, without a lock as long as they do not change.
    fn listing(&mut self) -> &Arc<Listing> {
        let generation = self.registry.generation();
        if generation != self.generation {
            self.generation = generation;
            self.listing = self.registry.listing();
        }
        &self.listing
    }

    /// What has no usable id is traced, never answered.
    fn reject(&self, (id, error): (Option<&str>, ErrorObject), out: &mut Vec<u8>) {
        match id {
            Some(id) => write_error(out, id, &error),
            None => {
                tracing::warn!(%error, "a line was dropped: no request to answer can be found in it")
            }
        }
    }
}

/// The id to answer with, of a line that cannot be read as it is.
fn unreadable<'a>(text: &'a str, message: &'static str) -> (Option<&'a str>, ErrorObject) {
    let id = match Message::read(text) {
        Message::Request(request) => Some(request.id),
        Message::Invalid { id, .. } => id,
        Message::Notification(..) | Message::Response => None,
    };
    // Under an id that had bytes which are no text nobody waits for an answer.
    let id = id.filter(|id| !id.contains(char::REPLACEMENT_CHARACTER));
    (id, ErrorObject::new(ErrorObject::PARSE_ERROR, message))
}

/// The id, where it is the last member of the message that `tail` ends: what stands right before
/// the last brace can be in nothing deeper.
fn last_id(tail: &str) -> Option<&str> {
    let (_, id) = tail.trim_end().strip_suffix('}')?.rsplit_once("\"id\":")?;
    Some(id.trim()).filter(|id| is_id(id))
}

/// Checks what 2026-07-28 demands of the `_meta` of every request.
fn envelope(meta: &Meta<'_>) -> Result<(), ErrorObject> {
    let version = meta.protocol_version.filter(|version| version.starts_with('"'));
    let capabilities =
        meta.client_capabilities.filter(|capabilities| capabilities.starts_with('{'));
    let missing: Vec<_> =
        [(version.is_none(), PROTOCOL_VERSION), (capabilities.is_none(), CLIENT_CAPABILITIES)]
            .into_iter()
            .filter_map(|(missing, key)| missing.then_some(key))
            .collect();
    if !missing.is_empty() {
        return Err(ErrorObject::invalid_params(format!(
            "`params._meta` must have {}",
            missing.join(" and ")
        )));
    }
    let known = |version: &str| {
        Revision::MODERN.iter().any(|revision| version.trim_matches('"') == revision.as_str())
    };
    match version.is_some_and(known) {
        true => Ok(()),
        false => Err(unsupported(version)),
    }
}

fn unsupported(requested: Option<&str>) -> ErrorObject {
    let requested = requested.and_then(crate::scan::string).unwrap_or(Cow::Borrowed(""));
    let supported: Vec<_> = Revision::MODERN.iter().map(|revision| revision.as_str()).collect();
    ErrorObject::new(ErrorObject::UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version")
        .with_data(serde_json::json!({"supported": supported, "requested": requested}))
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("registry", &self.registry)
            .field("running", &self.running())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
