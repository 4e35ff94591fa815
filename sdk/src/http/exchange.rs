//! One request and its response, with a session of their own.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::accept::Accepts;
use super::body::Body;
use super::gate::Era;
use super::open::{Admitted, Open, Waiting};
use super::options::Options;
use super::outlet::{Message, Outlet, Part, Source};
use super::refusal::Refusal;
use super::stream::Stream;
use crate::ToolRegistry;
use crate::host::{Admission, Received, Runner, Shell, Threads};
use crate::mcp::protocol::{ErrorObject, RequestId};
use crate::mcp::{About, Extensions, Host, Label, Outbox, Session};

/// nginx would buffer events otherwise.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// What a service has for all its exchanges.
pub(super) struct Shared {
    pub(super) registry: ToolRegistry,
    pub(super) options: Options,
    pub(super) threads: Threads,
    pub(super) open: Arc<Open>,
}

/// A request that has passed the checks.
pub(super) struct Posted {
    pub(super) body: Vec<u8>,
    pub(super) era: Era,
    /// `None` for a batch.
    pub(super) id: Option<RequestId>,
    pub(super) is_listen: bool,
    pub(super) accepts: Accepts,
    pub(super) extensions: Box<dyn FnOnce(&mut Extensions) + Send>,
    pub(super) admitted: Admitted,
}

/// What an exchange takes up until its session ends: in the legacy era calls run on without a
/// client.
struct Place {
    outlet: Arc<Outlet>,
    waiting: OnceLock<Waiting>,
    _admitted: Admitted,
}

/// Sends the messages of a session that has one exchange.
struct Wire(Arc<Place>);

/// What ends with the response.
struct Guard {
    runner: Arc<Runner>,
    outlet: Arc<Outlet>,
    /// In the modern era a client cancels its request by closing the response.
    cancels: bool,
}

/// Answers a request.
pub(super) async fn answer(shared: &Shared, posted: Posted) -> Result<Response<Body>, Refusal> {
    let Posted { body, era, id, is_listen, mut accepts, extensions, admitted } = posted;
    let options = &shared.options;
    accepts.stream &= !options.json_only;
    let refused = |status, message: &'static str| {
        let error = ErrorObject::new(ErrorObject::INVALID_REQUEST, message);
        Err(Refusal::new(status, id.as_ref(), &error))
    };
    if is_listen && !accepts.stream {
        return refused(
            StatusCode::NOT_ACCEPTABLE,
            "Invalid request: a subscription is a stream of events, which the client or the \
             server's option `json_only` excludes",
        );
    }
    let outlet = Arc::new(Outlet::new(options.max_unsent));
    let session = |link| {
        let mut session = Session::new(&shared.registry, Host::Http, link);
        if let Era::Legacy(version) = era {
            session.assume(version);
            session.be_brief();
        }
        extensions(session.extensions_mut());
        session
    };
    let (threads, limits) = (shared.threads.clone(), options.limits.clone());
    let place = Place { outlet: outlet.clone(), waiting: OnceLock::new(), _admitted: admitted };
    let place = Arc::new(place);
    let (runtime, wire) = (Handle::current(), Wire(place.clone()));
    let runner = Runner::sharing(threads, runtime, session, Outbox::labelled(), wire, limits);
    let cancels = era == Era::Modern;
    let guard = Guard { runner, outlet, cancels };
    let waits = begin(&guard.runner, &body).await;
    drop(body);
    if id.is_none() && !waits && !guard.outlet.is_over() {
        // A batch of notifications.
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::ACCEPTED;
        return Ok(response);
    }
    if !guard.outlet.is_over() {
        match shared.open.wait(&guard.runner, is_listen, options.max_listeners) {
            Some(waiting) => drop(place.waiting.set(waiting)),
            None => {
                let error =
                    ErrorObject::new(ErrorObject::INTERNAL_ERROR, "too many clients listen");
                return Err(Refusal::new(StatusCode::OK, id.as_ref(), &error));
            }
        }
    }
    drop(place);
    respond(guard.outlet.clone(), guard, cancels, accepts, options).await
}

/// Passes the message to the session, and polls its call once. Returns whether it is a call or a
/// batch of calls.
async fn begin(runner: &Arc<Runner>, body: &[u8]) -> bool {
    match runner.receive(body) {
        Received::Call(call) => {
            run(runner, call).await;
            true
        }
        Received::Batch(batch) => {
            let has_calls = !batch.calls.is_empty();
            batch.calls.into_iter().for_each(|call| runner.run(call));
            has_calls
        }
        _ => false,
    }
}

/// Polls a call once: most are done then.
pub(super) async fn run(runner: &Arc<Runner>, call: Admission<'_>) {
    let Some(mut run) = runner.begin(call) else { return };
    match poll_fn(|cx| Poll::Ready(Pin::new(&mut run).poll(cx))).await {
        Poll::Ready(done) => runner.finish(done),
        Poll::Pending => runner.spawn(run),
    }
}

/// JSON for an answer that comes before anything else; otherwise a stream, if the client takes one.
/// The response holds `guard`.
pub(super) async fn respond(
    mut source: impl Source,
    guard: impl Send + Sync + 'static,
    is_modern: bool,
    accepts: Accepts,
    options: &Options,
) -> Result<Response<Body>, Refusal> {
    loop {
        let next = poll_fn(|cx| source.poll_next(cx));
        let next = match accepts.stream {
            true if !accepts.json => return Ok(stream(source, None, guard, options)),
            true => match timeout(options.stream_after, next).await {
                Ok(next) => next,
                Err(_) => return Ok(stream(source, None, guard, options)),
            },
            false => next.await,
        };
        match next {
            Some(Message { text, part: Part::Answer(error) }) => {
                let mut response = Response::new(Body::full(text));
                *response.status_mut() = status(error, is_modern);
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(CONTENT_TYPE, json);
                return Ok(response);
            }
            Some(message) if accepts.stream => {
                return Ok(stream(source, Some(message), guard, options));
            }
            // The client takes the answer only.
            Some(_) => {}
            None => {
                let message = "the request ended without an answer";
                return Err(Refusal::plain(StatusCode::SERVICE_UNAVAILABLE, message));
            }
        }
    }
}

/// A response that is a stream, from `first` on.
pub(super) fn stream(
    source: impl Source,
    first: Option<Message>,
    guard: impl Send + Sync + 'static,
    options: &Options,
) -> Response<Body> {
    let stream = Stream::new(source, first, options.keep_alive, Box::new(guard));
    let mut response = Response::new(Body::stream(stream));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert(UNBUFFERED, HeaderValue::from_static("no"));
    response
}

/// The modern era has a status for each error; in the legacy era each request that was served has
/// the status 200.
fn status(error: Option<i64>, is_modern: bool) -> StatusCode {
    match error {
        Some(ErrorObject::METHOD_NOT_FOUND) if is_modern => StatusCode::NOT_FOUND,
        Some(
            ErrorObject::MISSING_CLIENT_CAPABILITY
            | ErrorObject::UNSUPPORTED_PROTOCOL_VERSION
            | ErrorObject::PARSE_ERROR
            | ErrorObject::INVALID_REQUEST,
        ) if is_modern => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

impl Shell for Wire {
    fn said(&self, outbox: &mut Outbox) {
        let outlet = &self.0.outlet;
        for (label, message) in outbox.messages() {
            match label {
                Label::Response { error, .. } => outlet.say(message, Part::Answer(*error)),
                Label::Refusal { error, .. } => outlet.say(message, Part::Answer(Some(*error))),
                Label::Batch { is_last: true, .. } => outlet.say(message, Part::Answer(None)),
                Label::Batch { .. } => outlet.say(message, Part::Before),
                Label::Notification(About::Call(_)) => outlet.offer(message),
                Label::Notification(About::Subscription(_)) => outlet.say(message, Part::Before),
                // Without a session there is no stream for what belongs to no request.
                Label::Notification(About::Session) | Label::Request(_) => {}
            }
        }
        outbox.clear();
    }

    fn flush(&self, _: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        self.0.outlet.wake();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.cancels && !self.outlet.is_over() {
            self.runner.close();
        }
    }
}
