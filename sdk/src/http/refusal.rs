//! The answer to a request that is not served.

use http::header::{CONTENT_TYPE, HeaderName};
use http::{HeaderValue, Response, StatusCode};

use super::body::Body;
use crate::mcp::protocol::{ErrorObject, RequestId, write_json};

/// Why a request is not served: a status, and a JSON-RPC error as the body, which is JSON for every
/// refusal, since clients read the error from it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Refusal {
    /// The status of the response.
    pub status: StatusCode,
    /// The headers of the response.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The body of the response.
    pub body: Vec<u8>,
}

impl Refusal {
    /// Legacy revisions leave these codes to implementations; the SDKs use this one.
    pub(super) const CODE: i64 = -32000;

    /// A refusal before any request could be read.
    pub(super) fn plain(status: StatusCode, message: impl Into<String>) -> Self {
        Self::of(status, None, message)
    }

    /// The refusal of the request with this id, for a reason that has no code of its own.
    pub(super) fn of(
        status: StatusCode,
        id: Option<&RequestId>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(status, id, &ErrorObject::new(Self::CODE, message.into()))
    }

    pub(super) fn new(status: StatusCode, id: Option<&RequestId>, error: &ErrorObject) -> Self {
        let mut body = br#"{"jsonrpc":"2.0","#.to_vec();
        if let Some(id) = id {
            body.extend_from_slice(b"\"id\":");
            id.write(&mut body);
            body.push(b',');
        }
        body.extend_from_slice(b"\"error\":");
        write_json(&mut body, error);
        body.push(b'}');
        let json = HeaderValue::from_static("application/json");
        Self { status, headers: vec![(CONTENT_TYPE, json)], body }
    }

    pub(super) fn with_header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let Self { status, headers, body } = self;
        let mut response = Response::new(Body::full(body));
        *response.status_mut() = status;
        response.headers_mut().extend(headers);
        response
    }
}
