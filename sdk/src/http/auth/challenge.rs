//! What a request needs that is not served: RFC 6750 and RFC 9728.

use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};

use super::metadata::Metadata;
use super::verify::AuthError;
use crate::http::refusal::Refusal;
use crate::mcp::protocol::RequestId;

/// What the response to a request can say about the token that it needs.
pub(super) struct Challenge<'a> {
    pub(super) metadata: &'a Metadata,
    /// All that the client should ask for.
    pub(super) scopes: &'a [String],
}

impl Challenge<'_> {
    /// There is no token.
    pub(super) fn unauthorized(&self) -> Refusal {
        let refusal = Refusal::plain(StatusCode::UNAUTHORIZED, "a bearer token is needed");
        self.with_header(refusal, None)
    }

    /// The token is not accepted.
    pub(super) fn refused(&self, error: &AuthError) -> Refusal {
        match error {
            AuthError::Invalid(_) => {
                let refusal = Refusal::plain(StatusCode::UNAUTHORIZED, error.to_string());
                self.with_header(refusal, Some("invalid_token"))
            }
            AuthError::Unavailable(_) => {
                Refusal::plain(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
            }
        }
    }

    /// The token does not allow this request, which needs these scopes.
    pub(super) fn insufficient(&self, needed: &[String], id: Option<&RequestId>) -> Refusal {
        let message = format!("the token does not allow this: it needs {}", needed.join(" "));
        let refusal = Refusal::of(StatusCode::FORBIDDEN, id, message);
        self.with_header(refusal, Some("insufficient_scope"))
    }

    fn with_header(&self, mut refusal: Refusal, error: Option<&str>) -> Refusal {
        let mut value = format!("Bearer resource_metadata=\"{}\"", self.metadata.url());
        if let Some(error) = error {
            value += &format!(", error=\"{error}\"");
        }
        if !self.scopes.is_empty() {
            value += &format!(", scope=\"{}\"", self.scopes.join(" "));
        }
        let bare = HeaderValue::from_static("Bearer");
        let value = HeaderValue::try_from(value).unwrap_or(bare);
        refusal.headers.push((WWW_AUTHENTICATE, value));
        refusal
    }
}
