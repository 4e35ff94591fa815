//! The body of a response.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Response, StatusCode};
use http_body::{Frame, SizeHint};

use super::connection::Answering;
use super::stream::Frames;

/// The body of a response of a [`Service`](super::Service): JSON, or a stream of events.
pub struct Body {
    inner: Inner,
    _answering: Option<Answering>,
}

enum Inner {
    Full(Bytes),
    Stream(Box<dyn Frames>),
}

impl Body {
    fn of(inner: Inner) -> Self {
        Self { inner, _answering: None }
    }

    /// A response without a body.
    pub(super) fn none(status: StatusCode) -> Response<Self> {
        let mut response = Response::new(Self::of(Inner::Full(Bytes::new())));
        *response.status_mut() = status;
        response
    }

    pub(super) fn full(bytes: Vec<u8>) -> Self {
        Self::of(Inner::Full(bytes.into()))
    }

    /// Its connection is not idle while this body exists.
    pub(super) fn during(self, answering: Answering) -> Self {
        Self { inner: self.inner, _answering: Some(answering) }
    }

    pub(super) fn stream(stream: impl Frames + 'static) -> Self {
        Self::of(Inner::Stream(Box::new(stream)))
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.inner {
            Inner::Full(bytes) if bytes.is_empty() => None,
            Inner::Full(bytes) => Some(std::mem::take(bytes)),
            Inner::Stream(stream) => match stream.poll_next(cx) {
                Poll::Ready(bytes) => bytes,
                Poll::Pending => return Poll::Pending,
            },
        };
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.inner, Inner::Full(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.inner {
            Inner::Full(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Inner::Stream(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.inner {
            Inner::Full(_) => "Body::Full",
            Inner::Stream(_) => "Body::Stream",
        })
    }
}
