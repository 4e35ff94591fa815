//! The document that tells clients where to get a token: RFC 9728.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW,
    CONTENT_TYPE,
};
use http::{HeaderValue, Method, Response, StatusCode, Uri};
use serde::Serialize;

use crate::http::body::Body;
use crate::http::refusal::Refusal;
use crate::mcp::protocol::write_json;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
const ANY: HeaderValue = HeaderValue::from_static("*");

/// Where the server is, and who issues tokens for it.
#[derive(Debug, Clone)]
pub(super) struct Metadata {
    /// Scheme, host and port.
    pub(super) origin: String,
    pub(super) path: String,
    pub(super) authorization_servers: Vec<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    resource: String,
    authorization_servers: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes_supported: &'a [String],
    bearer_methods_supported: [&'static str; 1],
}

impl Metadata {
    /// Those of a server without authorization servers; `None` if this is not its URL.
    pub(super) fn of(resource: &str) -> Option<Self> {
        let url: Uri = resource.parse().ok()?;
        let (scheme, host) = (url.scheme_str()?, url.authority()?);
        let is_plain = !resource.contains(['?', '#', '"', '\\', '@']);
        if !is_plain || !["http", "https"].contains(&scheme) {
            return None;
        }
        let origin = format!("{scheme}://{}", host.as_str().to_ascii_lowercase());
        let path = url.path().trim_end_matches('/').to_owned();
        Some(Self { origin, path, authorization_servers: Vec::new() })
    }

    pub(super) fn resource(&self) -> String {
        format!("{}{}", self.origin, self.path)
    }

    /// Where the document is.
    pub(super) fn url(&self) -> String {
        format!("{}{WELL_KNOWN}{}", self.origin, self.path)
    }

    /// True of the path that clients are told, and of the one without the path of the server, which
    /// they try otherwise. Those who know the server with a slash at the end add one.
    pub(super) fn is_at(&self, path: &str) -> bool {
        let rest = path.strip_prefix(WELL_KNOWN);
        let rest = rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest));
        rest.is_some_and(|rest| rest.is_empty() || rest == self.path)
    }

    /// Answers a request for the document. It is public, for web pages too.
    pub(super) fn answer(&self, method: &Method, scopes: &[String]) -> Response<Body> {
        let mut response = match *method {
            Method::GET => Response::new(Body::full(self.document(scopes))),
            Method::OPTIONS => {
                let mut response = Body::none(StatusCode::NO_CONTENT);
                let get = HeaderValue::from_static("GET");
                response.headers_mut().insert(ACCESS_CONTROL_ALLOW_METHODS, get);
                response.headers_mut().insert(ACCESS_CONTROL_ALLOW_HEADERS, ANY);
                response
            }
            _ => Refusal::plain(StatusCode::METHOD_NOT_ALLOWED, "GET is served here")
                .with_header(ALLOW, "GET")
                .into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }

    fn document(&self, scopes: &[String]) -> Vec<u8> {
        let document = Document {
            resource: self.resource(),
            authorization_servers: &self.authorization_servers,
            scopes_supported: scopes,
            bearer_methods_supported: ["header"],
        };
        let mut out = Vec::new();
        write_json(&mut out, &document);
        out
    }
}
