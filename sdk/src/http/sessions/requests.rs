//! The requests that belong to sessions.

use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};

use super::super::body::Body;
use super::super::event::EventId;
use super::super::exchange::{Posted, Shared};
use super::super::gate;
use super::super::open::Place;
use super::super::outlet::{self, Source};
use super::super::refusal::Refusal;
use super::super::respond::{self, Reply};
use super::super::routing;
use super::id::Key;
use super::session::Session;
use super::store::{Store, Use};
use super::streams::{Listener, Outlook, Reader};
use crate::mcp::Extensions;
use crate::mcp::protocol::{Message, RequestId};

pub(in super::super) static SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT_ID: &str = "last-event-id";

/// What a request says about its session.
pub(in super::super) struct Named {
    /// The owner is known also of a request that begins a session.
    owner: Option<Arc<str>>,
    key: Result<Key, &'static str>,
}

/// Reads a stream of a session, until the response ends. Calls that run on keep the place.
struct Reading {
    reader: Reader,
    _used: Option<Use>,
    _place: Option<Arc<Place>>,
    _listener: Option<Arc<Listener>>,
}

/// Answers a message. `initialize` begins a session; every other message names its own.
pub(in super::super) fn post(
    store: &Arc<Store>,
    shared: &Shared,
    named: Named,
    posted: Posted<'_, impl FnOnce(&mut Extensions)>,
) -> Result<Reply, Refusal> {
    let Posted { message, text, accepts, extensions, admitted } = posted;
    let options = &shared.options;
    let (id, begins) = match &message {
        Message::Request(request) => {
            let begins = (request.method == "initialize").then_some(&request.params);
            let capabilities = begins.map(|params| params.get("capabilities").unwrap_or_default());
            (Some(request.id.clone()), capabilities)
        }
        _ => (None, None),
    };
    let mut used = None;
    let session = match begins {
        // It may carry the id of a session that was lost.
        Some(_) => Arc::new(Session::new(shared, &store.options)),
        None => used.insert(find(store, shared, &named, id.as_ref())?).session.clone(),
    };
    let version = session.streams.version();
    if matches!(message, Message::Batch) && !version.is_some_and(gate::has_batches) {
        return Err(gate::no_batches());
    }
    let takes_stream = accepts.stream && !options.json_only;
    let (reader, place) = (session.streams.open(takes_stream), Arc::new(Place::new(admitted)));
    if !session.receive((&reader, &place), message, text, takes_stream, extensions) {
        // It has ended meanwhile.
        return Err(unknown(id.as_ref()));
    }
    match session.streams.outlook(&reader) {
        Outlook::Over => {}
        Outlook::Waits => {
            let waiting = shared.open.wait(&session.runner, false, options.max_listeners);
            if let Some(waiting) = waiting {
                place.wait(waiting);
            }
        }
        Outlook::Nothing => return Ok(Reply::Now(Body::none(StatusCode::ACCEPTED))),
    }
    let mut begun = None;
    if let (Some(capabilities), Some(version)) = (begins, session.streams.version()) {
        let added = store.add(session, (version, capabilities), named.owner).map_err(|error| {
            let message = format!("there is no randomness for the id of a session: {error}");
            Refusal::plain(StatusCode::INTERNAL_SERVER_ERROR, message)
        })?;
        begun = HeaderValue::from_str(&added.key.id).ok();
        used = Some(added);
    }
    let reading = Reading { reader, _used: used, _place: Some(place), _listener: None };
    let mut reply = respond::respond(reading, false, accepts, options)?;
    // A handshake is answered at once.
    if let (Some(id), Reply::Now(response)) = (begun, &mut reply) {
        response.headers_mut().insert(&SESSION_ID, id);
    }
    Ok(reply)
}

/// Opens the stream of a session, or continues the stream of one of its requests.
pub(in super::super) fn get(
    store: &Arc<Store>,
    shared: &Shared,
    named: &Named,
    headers: &HeaderMap,
) -> Result<Response<Body>, Refusal> {
    match headers.get(LAST_EVENT_ID) {
        Some(after) => {
            let after = after.to_str().ok().and_then(EventId::read);
            Ok(resume(find(store, shared, named, None)?, shared, after))
        }
        None => listen(store, shared, named),
    }
}

/// Continues the stream of a request. A server that is full or that stops does it too: the call,
/// if it still runs, has its place, and its client waits for the answer.
fn resume(used: Use, shared: &Shared, after: Option<EventId>) -> Response<Body> {
    let Some((reader, place)) = after.and_then(|after| used.session.streams.resume(after)) else {
        // An error would not tell the client that nothing will come.
        let mut ended = Body::none(StatusCode::OK);
        let kind = HeaderValue::from_static("text/event-stream");
        ended.headers_mut().insert(CONTENT_TYPE, kind);
        return ended;
    };
    let reading = Reading { reader, _used: Some(used), _place: place, _listener: None };
    respond::stream(reading, None, shared.options.keep_alive)
}

/// Opens the stream of a session.
fn listen(store: &Arc<Store>, shared: &Shared, named: &Named) -> Result<Response<Body>, Refusal> {
    let place = Place::new(shared.open.admit(shared.options.max_requests, || false)?);
    let used = find(store, shared, named, None)?;
    if store.options.key.is_some() {
        // The end of its handshake may have gone to another replica.
        used.session.initialized();
    }
    let (reader, listener) = used.session.streams.listen();
    let Some(waiting) = shared.open.wait(&listener, true, shared.options.max_listeners) else {
        let message = "too many clients listen";
        return Err(
            Refusal::plain(StatusCode::SERVICE_UNAVAILABLE, message).with_header(RETRY_AFTER, "1")
        );
    };
    place.wait(waiting);
    let (place, listener) = (Some(Arc::new(place)), Some(listener));
    let reading = Reading { reader, _used: Some(used), _place: place, _listener: listener };
    Ok(respond::stream(reading, None, shared.options.keep_alive))
}

/// Ends a session.
pub(in super::super) fn delete(store: &Store, named: &Named) -> Result<Response<Body>, Refusal> {
    match store.delete(named.key(None)?) {
        true => Ok(Body::none(StatusCode::OK)),
        false => Err(unknown(None)),
    }
}

fn find(
    store: &Arc<Store>,
    shared: &Shared,
    named: &Named,
    request: Option<&RequestId>,
) -> Result<Use, Refusal> {
    store.find(shared, named.key(request)?).ok_or_else(|| unknown(request))
}

impl Named {
    pub(in super::super) fn read(headers: &HeaderMap, owner: Option<&str>) -> Self {
        let owner: Option<Arc<str>> = owner.map(Into::into);
        let key = match routing::single(headers, &SESSION_ID) {
            Ok(None | Some(b"")) => {
                Err("the header Mcp-Session-Id is missing; `initialize` begins a session")
            }
            // What is not UTF-8 is no id of ours.
            Ok(Some(id)) => {
                Ok(Key { id: String::from_utf8_lossy(id).into(), owner: owner.clone() })
            }
            Err(_) => Err("the request has more than one header Mcp-Session-Id"),
        };
        Self { owner, key }
    }

    fn key(&self, request: Option<&RequestId>) -> Result<&Key, Refusal> {
        self.key.as_ref().map_err(|message| Refusal::of(StatusCode::BAD_REQUEST, request, *message))
    }
}

impl Source for Reading {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<outlet::Message>> {
        self.reader.poll_next(cx)
    }

    fn is_cut(&self) -> bool {
        self.reader.is_cut()
    }

    fn begin(&mut self, out: &mut Vec<u8>) {
        self.reader.begin(out);
    }

    fn event_id(&self) -> Option<EventId> {
        self.reader.event_id()
    }
}

/// Clients begin a new session after this status, and after no other.
fn unknown(request: Option<&RequestId>) -> Refusal {
    let message = "there is no session with this Mcp-Session-Id; `initialize` begins one";
    Refusal::of(StatusCode::NOT_FOUND, request, message)
}
