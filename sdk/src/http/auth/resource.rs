//! Which tokens a server wants.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, Method, Response};
use tokio::time::timeout;

use super::called;
use super::caller::Caller;
use super::challenge::Challenge;
use super::metadata::Metadata;
use super::verify::{AuthError, Verify};
use crate::http::body::Body;
use crate::http::refusal::Refusal;
use crate::http::routing;
use crate::mcp::protocol::RequestId;
use crate::{Tool, ToolRegistry, panics};

/// How long a verdict may take: a client waits no longer, and holds a connection meanwhile.
const PATIENCE: Duration = Duration::from_secs(30);

/// The authorization of a [`Service`](crate::http::Service): every request needs a bearer token
/// that the verifier accepts, and a call the scopes of its tool.
///
/// ```
/// use toolwright::http::{Auth, AuthError, Caller, Options};
///
/// # async fn look_up(token: String) -> Result<Caller, AuthError> { Ok(Caller::new(token)) }
/// let mut options = Options::default();
/// options.allowed_hosts.push("notes.example.com".into());
/// options.auth = Some(
///     Auth::new("https://notes.example.com/mcp", look_up)?
///         .authorization_server("https://login.example.com")
///         .scope("notes"),
/// );
/// # Ok::<(), toolwright::http::BadResource>(())
/// ```
///
/// A client without a token learns from the response where to get one, by the metadata of RFC 9728.
/// [`serve`](crate::http::serve) answers the request for it. In a router of your own, route the
/// paths `/.well-known/oauth-protected-resource` and `/.well-known/oauth-protected-resource/mcp`
/// (with the path of the server behind it) to the same service.
#[derive(Clone)]
pub struct Auth {
    metadata: Arc<Metadata>,
    scopes: Vec<String>,
    verifier: Arc<dyn Verify>,
}

/// The URL cannot be that of a server: it must be `https` or `http`, with a host, and without a
/// query and a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadResource(String);

impl Auth {
    /// Accepts the tokens that `verifier` accepts. `resource` is the URL of the server as clients
    /// know it, such as `https://notes.example.com/mcp`.
    ///
    /// # Errors
    ///
    /// The URL cannot be that of a server.
    pub fn new(resource: &str, verifier: impl Verify) -> Result<Self, BadResource> {
        let url = Metadata::of(resource).ok_or_else(|| BadResource(resource.to_owned()))?;
        Ok(Self { metadata: Arc::new(url), scopes: Vec::new(), verifier: Arc::new(verifier) })
    }

    /// Adds an authorization server that issues tokens for this server, by its issuer URL.
    pub fn authorization_server(mut self, issuer: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.metadata).authorization_servers.push(issuer.into());
        self
    }

    /// Adds a scope that every request needs. Those that single tools need are the tools' own.
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// The URL of the server, in lower case as far as it means the same, and without a slash at the
    /// end. A token is for this server if its audience is this URL.
    pub fn resource(&self) -> String {
        self.metadata.resource()
    }

    /// True of the paths at which [`Auth::metadata`] answers.
    pub(in crate::http) fn is_metadata(&self, path: &str) -> bool {
        self.metadata.is_at(path)
    }

    /// Answers a request for the metadata.
    pub(in crate::http) fn metadata(
        &self,
        method: &Method,
        registry: &ToolRegistry,
    ) -> Response<Body> {
        self.metadata.answer(method, &self.supported(registry))
    }

    /// Who sent a request. Its token may do what every request needs, and the call that the headers
    /// name.
    pub(in crate::http) async fn authorize(
        &self,
        head: &mut Parts,
        registry: &ToolRegistry,
    ) -> Result<Caller, Refusal> {
        let needed = self.needed(routing::called(&head.headers).as_deref(), registry);
        let challenge = Challenge { metadata: &self.metadata, scopes: &needed };
        let Some(token) = bearer(&mut head.headers) else { return Err(challenge.unauthorized()) };
        let verdict = match token.as_deref() {
            Some(token) => self.judge(token).await,
            None => Err(AuthError::Invalid("the header Authorization has no bearer token".into())),
        };
        let verdict = verdict.and_then(|caller| match caller.expires {
            Some(end) if end <= SystemTime::now() => {
                Err(AuthError::Invalid("it has expired".into()))
            }
            _ => Ok(caller),
        });
        let caller = verdict.map_err(|error| challenge.refused(&error))?;
        self.suffices(&caller, &needed, None, registry)?;
        Ok(caller)
    }

    /// Asks the verifier, which may panic, as it may look at what clients send.
    async fn judge(&self, token: &str) -> Result<Caller, AuthError> {
        let failed = |panic: String| {
            tracing::error!(%panic, "the verifier of tokens has panicked");
            AuthError::Unavailable("its verifier has failed".into())
        };
        // Within a future of its own, as `verify` itself may panic too.
        let mut verdict = pin!(async { self.verifier.verify(token).await });
        let verdict = poll_fn(|cx| match panics::catch(|| verdict.as_mut().poll(cx)) {
            Ok(polled) => polled,
            Err(panic) => Poll::Ready(Err(failed(panic))),
        });
        timeout(PATIENCE, verdict).await.unwrap_or_else(|_| {
            tracing::error!("the verifier of tokens has not returned in time");
            Err(AuthError::Unavailable("its verifier takes too long".into()))
        })
    }

    /// Checks that the token allows the calls in a body.
    pub(in crate::http) fn allow(
        &self,
        caller: &Caller,
        body: &[u8],
        registry: &ToolRegistry,
    ) -> Result<(), Refusal> {
        let list = registry.tool_list().now();
        if list.entries().iter().all(|tool| tool.scopes().is_empty()) {
            return Ok(());
        }
        let (id, tools) = called::by_body(std::str::from_utf8(body).unwrap_or_default());
        let needed = self.needed(tools.iter().map(String::as_str), registry);
        self.suffices(caller, &needed, id.as_ref(), registry)
    }

    /// Checks that a token allows all that a request needs. Otherwise its client gets to know
    /// everything at once, so that it asks its user once. That has what the token allows here by
    /// now, as clients of 2025-11-25 ask for no more than they are told, and would lose it.
    fn suffices(
        &self,
        caller: &Caller,
        needed: &[String],
        id: Option<&RequestId>,
        registry: &ToolRegistry,
    ) -> Result<(), Refusal> {
        if needed.iter().all(|scope| caller.may(scope)) {
            return Ok(());
        }
        let mut scopes = needed.to_vec();
        let others = self.supported(registry).into_iter();
        scopes.extend(others.filter(|scope| caller.may(scope) && !needed.contains(scope)));
        let challenge = Challenge { metadata: &self.metadata, scopes: &scopes };
        Err(challenge.insufficient(needed, id))
    }

    /// The scopes that any request needs.
    fn supported(&self, registry: &ToolRegistry) -> Vec<String> {
        let tools = registry.tools();
        self.needed(tools.iter().map(Tool::name), registry)
    }

    /// The scopes that calls of these tools need, each once.
    fn needed<'a>(
        &self,
        tools: impl IntoIterator<Item = &'a str>,
        registry: &ToolRegistry,
    ) -> Vec<String> {
        let list = registry.tool_list().now();
        let tools = tools.into_iter().filter_map(|name| list.get(name));
        let of_tools = tools.flat_map(|tool| tool.scopes()).map(|scope| &**scope);
        let mut needed: Vec<String> = Vec::new();
        for scope in self.scopes.iter().map(String::as_str).chain(of_tools) {
            if !needed.iter().any(|other| other == scope) {
                needed.push(scope.to_owned());
            }
        }
        needed
    }
}

/// The token of a request: `None` without a header, `Some(None)` if it is not one.
fn bearer(headers: &mut HeaderMap) -> Option<Option<String>> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (value, other) = (values.next()?, values.next());
    let token = value.to_str().ok().filter(|_| other.is_none()).and_then(|text| {
        let (scheme, token) = text.trim().split_once(' ')?;
        let token = token.trim_start();
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        (scheme.eq_ignore_ascii_case("bearer") && is_token).then(|| token.to_owned())
    });
    // What prints the request does not print the token.
    for (name, value) in headers.iter_mut() {
        if name == AUTHORIZATION {
            value.set_sensitive(true);
        }
    }
    Some(token)
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth").field("resource", &self.resource()).finish_non_exhaustive()
    }
}

impl fmt::Display for BadResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not the URL of a server, as `https://example.com/mcp` is", self.0)
    }
}

impl std::error::Error for BadResource {}
