//! From the messages of a session to a response: JSON, or a stream of events.

use std::future::{Future, poll_fn};
use std::ops::ControlFlow;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use tokio::time::timeout;

use super::accept::Accepts;
use super::body::Body;
use super::options::Options;
use super::outlet::{Message, Part, Source};
use super::refusal::Refusal;
use super::stream::Stream;
use crate::mcp::protocol::ErrorObject;

/// nginx would buffer events otherwise.
static UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The response to a request, which most calls have at once.
pub(super) enum Reply {
    Now(Response<Body>),
    Later(Pin<Box<dyn Future<Output = Result<Response<Body>, Refusal>> + Send>>),
}

/// A response before its first message.
struct Undecided<S> {
    source: S,
    is_modern: bool,
    accepts: Accepts,
    stream_after: Duration,
    keep_alive: Duration,
}

/// JSON for an answer that comes before anything else, if the client takes it, and for an error
/// with a status of its own; otherwise a stream, if the client takes one.
pub(super) fn respond(
    source: impl Source,
    is_modern: bool,
    accepts: Accepts,
    options: &Options,
) -> Result<Reply, Refusal> {
    let Options { json_only, stream_after, keep_alive, .. } = *options;
    let accepts = Accepts { stream: accepts.stream && !json_only, ..accepts };
    let mut response = Undecided { source, is_modern, accepts, stream_after, keep_alive };
    let mut nobody = Context::from_waker(Waker::noop());
    while let Poll::Ready(next) = response.source.poll_next(&mut nobody) {
        match response.decide(next) {
            ControlFlow::Break(decided) => return decided.map(Reply::Now),
            ControlFlow::Continue(undecided) => response = undecided,
        }
    }
    if !response.takes_json() {
        return Ok(Reply::Now(stream(response.source, None, keep_alive)));
    }
    Ok(Reply::Later(Box::pin(response.wait())))
}

impl<S: Source> Undecided<S> {
    async fn wait(mut self) -> Result<Response<Body>, Refusal> {
        loop {
            let next = poll_fn(|cx| self.source.poll_next(cx));
            let next = match self.accepts.stream {
                true => timeout(self.stream_after, next).await,
                false => Ok(next.await),
            };
            let Ok(next) = next else {
                return Ok(stream(self.source, None, self.keep_alive));
            };
            match self.decide(next) {
                ControlFlow::Break(decided) => return decided,
                ControlFlow::Continue(undecided) => self = undecided,
            }
        }
    }

    /// True also for a client that takes neither.
    fn takes_json(&self) -> bool {
        self.accepts.json || !self.accepts.stream
    }

    /// What the next message makes of the response.
    fn decide(self, next: Option<Message>) -> ControlFlow<Result<Response<Body>, Refusal>, Self> {
        ControlFlow::Break(match next {
            // A stream has the status 200.
            Some(Message { text, part: Part::Answer(error) })
                if self.takes_json() || status(error, self.is_modern) != StatusCode::OK =>
            {
                let mut response = Response::new(Body::full(text));
                *response.status_mut() = status(error, self.is_modern);
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(CONTENT_TYPE, json);
                Ok(response)
            }
            Some(message) if self.accepts.stream => {
                Ok(stream(self.source, Some(message), self.keep_alive))
            }
            // The client takes the answer only.
            Some(_) => return ControlFlow::Continue(self),
            None if self.source.is_cut() => Ok(stream(self.source, None, self.keep_alive)),
            None => {
                let message = "the request ended without an answer";
                Err(Refusal::plain(StatusCode::SERVICE_UNAVAILABLE, message))
            }
        })
    }
}

/// A response that is a stream, from `first` on.
pub(super) fn stream(
    source: impl Source,
    first: Option<Message>,
    keep_alive: Duration,
) -> Response<Body> {
    let body = match Stream::begin(source, first, keep_alive) {
        Ok(stream) => Body::stream(stream),
        Err(whole) => Body::full(whole),
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert(&UNBUFFERED, HeaderValue::from_static("no"));
    response
}

/// The modern era has a status for each error; in the legacy era each request that could be read
/// has the status 200.
fn status(error: Option<i64>, is_modern: bool) -> StatusCode {
    match error {
        Some(ErrorObject::METHOD_NOT_FOUND) if is_modern => StatusCode::NOT_FOUND,
        // The arguments of a call are read only when it begins.
        Some(ErrorObject::PARSE_ERROR) => StatusCode::BAD_REQUEST,
        Some(
            ErrorObject::MISSING_CLIENT_CAPABILITY
            | ErrorObject::UNSUPPORTED_PROTOCOL_VERSION
            | ErrorObject::INVALID_REQUEST,
        ) if is_modern => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}
