//! Who sent a request.

use std::time::SystemTime;

use serde_json::{Map, Value};

use crate::Context;

/// Who sent a request, as the verifier of its token says, or a layer in front of a
/// [`Service`](crate::http::Service). A tool finds it in its context: [`Context::caller`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Caller {
    /// The user or program that the token speaks for. Sessions, tasks and the states of calls
    /// belong to it, so that it must be unique: a verifier that accepts the tokens of several
    /// authorization servers puts the issuer in front.
    pub subject: String,
    /// The client program that the token was issued to.
    pub client: Option<String>,
    /// What the token allows. A verifier whose scopes imply others adds these.
    pub scopes: Vec<String>,
    /// When the token ends. A request with an older one is refused; a response that has begun, such
    /// as the stream of a subscription, goes on.
    pub expires: Option<SystemTime>,
    /// What else the verifier knows, such as the claims of a JWT.
    pub extra: Map<String, Value>,
}

impl Caller {
    /// A caller without scopes.
    pub fn new(subject: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            client: None,
            scopes: Vec::new(),
            expires: None,
            extra: Map::new(),
        }
    }

    /// Sets what the token allows.
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// True if the token allows this.
    pub fn may(&self, scope: &str) -> bool {
        self.scopes.iter().any(|own| own == scope)
    }
}

impl Context {
    /// Who sent the request. `None` without [`Options::auth`](crate::http::Options::auth), unless a
    /// layer has put a [`Caller`] into the request's extensions, as
    /// [`Service`](crate::http::Service) says, or a test gives the registry one as its
    /// [`extension`](crate::ToolRegistryBuilder::extension), which makes it the caller of every
    /// request without another; the scopes of tools are checked over HTTP only.
    ///
    /// ```
    /// use toolwright::{Context, tool};
    ///
    /// #[tool(read_only)]
    /// async fn whoami(cx: &Context) -> String {
    ///     cx.caller().map_or("nobody".to_owned(), |caller| caller.subject.clone())
    /// }
    /// ```
    pub fn caller(&self) -> Option<&Caller> {
        self.extension()
    }
}
