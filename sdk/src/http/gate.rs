//! Which requests are served, and as what. No I/O is done here.

use http::header::{ALLOW, CONNECTION, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode};

use super::accept::Accepts;
use super::hosts::Hosts;
use super::options::Options;
use super::refusal::Refusal;
use super::routing::{self, PROTOCOL_VERSION};
use crate::ToolRegistry;
use crate::mcp::elements_of_batch;
use crate::mcp::protocol::{Eras, ErrorObject, Message, Meta, Request, RequestId, Revision};
use crate::scan;

/// The revision of a legacy message without a header that names one, as 2025-06-18 demands.
const WITHOUT_HEADER: &str = "2025-03-26";

/// The checks of a request, from its head to its body.
///
/// ```
/// use toolwright::ToolRegistry;
/// use toolwright::http::{Gate, Options};
///
/// let registry = ToolRegistry::builder("calc").build()?;
/// let gate = Gate::new(&registry, &Options::default());
/// let request = http::Request::post("/mcp")
///     .header("host", "localhost")
///     .header("content-type", "text/plain")
///     .body(())?;
/// let refusal = gate.check(&request.into_parts().0, b"{}").unwrap_err();
/// assert_eq!(refusal.status, 415);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gate {
    registry: ToolRegistry,
    hosts: Hosts,
    eras: Eras,
    max_body: usize,
    has_sessions: bool,
    /// Clients may take streams.
    has_streams: bool,
}

/// What a request asks for.
#[derive(Debug)]
#[non_exhaustive]
pub enum Asked {
    /// That a message is taken.
    Post {
        /// How the message is read.
        era: Era,
        /// What it is.
        kind: Kind,
    },
    /// The stream of a session.
    Get,
    /// That a session ends.
    Delete,
}

/// The era and revision of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Era {
    /// A message without a session.
    Modern,
    /// A message of the handshake's era, in the revision of this name.
    Legacy(&'static str),
}

/// What a message is.
#[derive(Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A request with this id.
    #[non_exhaustive]
    Request {
        /// Its id.
        id: RequestId,
        /// Its method.
        method: String,
    },
    /// A notification, or a response to a request of the server.
    Silent,
    /// Several messages.
    Batch,
}

/// A message that has passed the checks.
#[derive(Debug)]
pub(super) struct Read<'a> {
    pub(super) era: Era,
    pub(super) message: Message<'a>,
    /// The whole body.
    pub(super) text: &'a str,
}

impl Gate {
    /// The checks of a service of `registry`.
    pub fn new(registry: &ToolRegistry, options: &Options) -> Self {
        Self {
            registry: registry.clone(),
            hosts: Hosts::new(&options.allowed_hosts, &options.allowed_origins),
            eras: registry.server().eras,
            max_body: options.max_body,
            has_sessions: options.sessions.is_some() && registry.server().eras.legacy(),
            has_streams: !options.json_only,
        }
    }

    /// Checks a whole request.
    ///
    /// # Errors
    ///
    /// The response to a request that is not served.
    pub fn check(&self, head: &Parts, body: &[u8]) -> Result<Asked, Refusal> {
        self.hosts.check(head)?;
        match self.method(&head.method)? {
            Method::GET => self.get(&head.headers).map(|()| Asked::Get),
            Method::DELETE => self.delete(&head.headers).map(|()| Asked::Delete),
            _ => {
                self.post(&head.headers)?;
                if body.len() > self.max_body {
                    return Err(self.too_large());
                }
                let Read { era, message, .. } = self.body(&head.headers, body)?;
                Ok(Asked::Post { era, kind: Kind::of(message) })
            }
        }
    }

    /// Checks where a request comes from.
    pub(super) fn source(&self, head: &Parts) -> Result<(), Refusal> {
        self.hosts.check(head)
    }

    pub(super) fn method(&self, method: &Method) -> Result<Method, Refusal> {
        let (allowed, list): (&[Method], _) = match (self.has_sessions, self.has_streams) {
            (true, true) => (&[Method::POST, Method::GET, Method::DELETE], "POST, GET, DELETE"),
            (true, false) => (&[Method::POST, Method::DELETE], "POST, DELETE"),
            (false, _) => (&[Method::POST], "POST"),
        };
        if allowed.contains(method) {
            return Ok(method.clone());
        }
        let mut refusal = not_allowed(method, list);
        if method == Method::HEAD {
            refusal.body.clear();
        }
        Err(refusal)
    }

    pub(super) fn get(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.in_session(&Method::GET, headers)?;
        let accepts = Accepts::read(headers)?;
        match accepts.stream {
            true => Ok(()),
            false => Err(Refusal::plain(
                StatusCode::NOT_ACCEPTABLE,
                "`Accept` must allow text/event-stream",
            )),
        }
    }

    pub(super) fn delete(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.in_session(&Method::DELETE, headers)
    }

    /// The modern era has no sessions.
    fn in_session(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
        match self.era(headers, &Meta::default(), None)? {
            Era::Modern => Err(not_allowed(method, "POST")),
            Era::Legacy(_) => Ok(()),
        }
    }

    /// Checks the head of a POST.
    pub(super) fn post(&self, headers: &HeaderMap) -> Result<Accepts, Refusal> {
        let kind = headers.get(CONTENT_TYPE).map_or("", |kind| kind.to_str().unwrap_or_default());
        let essence = kind.split(';').next().unwrap_or_default().trim();
        // A web page cannot send this type to another origin without asking first.
        if !essence.eq_ignore_ascii_case("application/json") {
            return Err(Refusal::plain(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "`Content-Type` must be application/json",
            ));
        }
        Accepts::read(headers)
    }

    pub(super) fn too_large(&self) -> Refusal {
        let message = format!(
            "the body has more than {} bytes; the server's option `max_body` can allow more",
            self.max_body
        );
        Refusal::plain(StatusCode::PAYLOAD_TOO_LARGE, message).with_header(CONNECTION, "close")
    }

    /// Checks the body of a POST, and that its headers agree with it.
    pub(super) fn body<'a>(
        &self,
        headers: &HeaderMap,
        body: &'a [u8],
    ) -> Result<Read<'a>, Refusal> {
        let Ok(text) = std::str::from_utf8(body) else {
            let id = RequestId::of_unreadable(&String::from_utf8_lossy(body));
            let message = "Parse error: the body is not valid UTF-8";
            return Err(bad(id.as_ref(), &ErrorObject::parse_error(message)));
        };
        let message = Message::read(text);
        let era = match &message {
            Message::Request(request) => self.request(headers, request)?,
            Message::Notification(_, params) => self.era(headers, &params.meta, None)?,
            Message::Response(_) => self.era(headers, &Meta::default(), None)?,
            Message::Batch if !scan::is_json(text) => {
                return Err(bad(None, &ErrorObject::not_json()));
            }
            Message::Batch => match self.era(headers, &Meta::default(), None)? {
                era @ Era::Legacy(version) if has_batches(version) => {
                    elements_of_batch(text).map_err(|error| bad(None, &error))?;
                    era
                }
                _ => return Err(no_batches()),
            },
            // A scalar is JSON.
            Message::Invalid { id: None, error, .. }
                if error.code == ErrorObject::PARSE_ERROR && scan::is_json(text) =>
            {
                let message = "Invalid request: the body must be an object";
                return Err(bad(None, &ErrorObject::invalid_request(message)));
            }
            Message::Invalid { id, error, .. } => return Err(bad(id.as_ref(), error)),
        };
        Ok(Read { era, message, text })
    }

    fn request(&self, headers: &HeaderMap, request: &Request<'_>) -> Result<Era, Refusal> {
        let id = Some(&request.id);
        let era = self.era(headers, &request.params.meta, Some(request))?;
        if era == Era::Modern {
            self.eras.refuse_handshake(request).map_err(|error| bad(id, &error))?;
            let version = request.params.meta.version().map_err(|error| bad(id, &error))?;
            let mismatch =
                |message: String| bad(id, &ErrorObject::new(ErrorObject::HEADER_MISMATCH, message));
            match routing::single(headers, &PROTOCOL_VERSION).map_err(mismatch)? {
                Some(header) if header == version.as_bytes() => {}
                Some(header) => {
                    let header = String::from_utf8_lossy(header);
                    return Err(mismatch(format!(
                        "the header MCP-Protocol-Version says {header:?}, and the body {version:?}"
                    )));
                }
                None => {
                    return Err(mismatch("the header MCP-Protocol-Version is missing".into()));
                }
            }
            Revision::for_request(&version).map_err(|error| bad(id, &error))?;
            routing::check(headers, request, &self.registry).map_err(mismatch)?;
        }
        Ok(era)
    }

    /// A message, which may be a request, is modern if its body or its header says so.
    fn era(
        &self,
        headers: &HeaderMap,
        meta: &Meta<'_>,
        request: Option<&Request<'_>>,
    ) -> Result<Era, Refusal> {
        let header = headers
            .get(&PROTOCOL_VERSION)
            .map(|version| version.to_str().unwrap_or_default().trim());
        let method = request.map_or("", |request| &*request.method);
        let names_modern = header.is_some_and(|version| Revision::of_request(version).is_some());
        if self.eras.is_modern(method, meta) || (self.eras.modern() && names_modern) {
            return Ok(Era::Modern);
        }
        match Revision::of_session(header.unwrap_or(WITHOUT_HEADER)) {
            Some(revision) => Ok(Era::Legacy(revision.profile().version)),
            None => {
                let header = header.unwrap_or_default();
                let message = format!("MCP-Protocol-Version {header:?} is not supported");
                let id = request.map(|request| &request.id);
                Err(Refusal::of(StatusCode::BAD_REQUEST, id, message))
            }
        }
    }
}

impl Kind {
    fn of(message: Message<'_>) -> Self {
        match message {
            Message::Request(Request { id, method, .. }) => {
                Self::Request { id, method: method.into_owned() }
            }
            Message::Batch => Self::Batch,
            _ => Self::Silent,
        }
    }
}

/// True if the revision of this name has batches.
pub(super) fn has_batches(version: &str) -> bool {
    Revision::named(version).is_some_and(|revision| revision.profile().has_batches)
}

pub(super) fn no_batches() -> Refusal {
    let message = "Invalid request: only the revision 2025-03-26 has batches";
    bad(None, &ErrorObject::invalid_request(message))
}

fn not_allowed(method: &Method, allowed: &'static str) -> Refusal {
    let message = format!("{method} is not served here; {allowed} is");
    Refusal::plain(StatusCode::METHOD_NOT_ALLOWED, message).with_header(ALLOW, allowed)
}

fn bad(id: Option<&RequestId>, error: &ErrorObject) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, id, error)
}
