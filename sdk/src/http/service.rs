//! The service for a router.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes};
use http::header::CONNECTION;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use tokio::time::timeout;

use super::accept::Accepts;
use super::auth::Caller;
use super::body::Body;
use super::bus::Bridge;
use super::exchange::{self, Posted, Shared};
use super::gate::{Era, Gate, Read};
use super::open::Admitted;
use super::options::Options;
use super::refusal::Refusal;
use super::respond::Reply;
use super::routing;
use super::sessions::{self, Named, Store};
use crate::ToolRegistry;
use crate::host::Threads;
use crate::mcp::Extensions;
use crate::mcp::protocol::Message;
use crate::mcp::rounds::{Keeper, Owner};
use crate::scan;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Answers MCP over HTTP: a `tower::Service` for any router. A clone is cheap and is the same
/// service.
///
/// ```
/// use toolwright::{ToolRegistry, http};
///
/// let registry = ToolRegistry::builder("calc").build()?;
/// let app: axum::Router =
///     axum::Router::new().route_service("/mcp", http::Service::new(registry));
/// # Ok::<(), toolwright::BuildError>(())
/// ```
///
/// With [`Options::auth`] it also answers the requests for the metadata of RFC 9728, if the router
/// passes them on; see [`Auth`](super::Auth).
///
/// It needs a tokio runtime with its time driver. A tool finds the head of its request in its
/// context, and there what a layer of the router has put into the extensions of the request:
///
/// ```
/// use toolwright::{Context, http, tool};
///
/// #[derive(Clone)]
/// struct User(String);
///
/// /// Who asks?
/// #[tool(read_only)]
/// async fn who(cx: &Context) -> Option<String> {
///     let head = cx.extension::<http::Parts>()?;
///     Some(head.extensions.get::<User>()?.0.clone())
/// }
/// ```
///
/// If a layer checks who it is, in place of [`Options::auth`], it should put a [`Caller`] there
/// too. Tools find it as [`Context::caller`](crate::Context::caller), and sessions, tasks and the
/// states of calls belong to its subject; otherwise whoever knows the id of a session may answer
/// its questions and end it. The scopes of tools are not checked then.
///
/// # A server for each user
///
/// Which of the tools a user has, [`ToolRegistryBuilder::tool_filter`] says. Where the tools
/// themselves differ, each user gets a registry and a service, kept for the next request. Bounds
/// and sessions are those of one service. Whoever the user is must come from a layer that has
/// checked it, and not from the path or a header that a client may choose:
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::{Arc, Mutex};
///
/// use axum::body::{Body, to_bytes};
/// use axum::extract::Request;
/// use axum::response::Response;
/// use axum::routing::any;
/// use axum::{Extension, Router};
/// use tower_service::Service as _; // or `tower::Service`
///
/// use toolwright::{BuildError, State, ToolRegistry, http, tool, tools};
///
/// /// Whose server is it?
/// #[tool(read_only)]
/// async fn owner(user: State<String>) -> String {
///     user.to_string()
/// }
///
/// fn server_of(user: &str) -> Result<http::Service, BuildError> {
///     let registry = ToolRegistry::builder("notes").state(user.to_owned()).tools(tools![owner]);
///     Ok(http::Service::new(registry.build()?))
/// }
///
/// #[derive(Clone, PartialEq, Eq, Hash)]
/// struct User(String);
///
/// #[derive(Clone, Default)]
/// struct Servers(Arc<Mutex<HashMap<User, http::Service>>>);
///
/// impl Servers {
///     fn of(&self, user: User) -> Result<http::Service, BuildError> {
///         let mut servers = self.0.lock().unwrap();
///         if let Some(server) = servers.get(&user) {
///             return Ok(server.clone());
///         }
///         let server = server_of(&user.0)?;
///         servers.insert(user, server.clone());
///         Ok(server)
///     }
/// }
///
/// async fn mcp(Extension(user): Extension<User>, servers: Servers, request: Request) -> Response {
///     let Ok(mut server) = servers.of(user) else {
///         return Response::builder().status(500).body(Body::empty()).unwrap();
///     };
///     match server.call(request).await {
///         Ok(response) => response.map(Body::new),
///         Err(never) => match never {},
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let servers = Servers::default();
/// let known = servers.clone();
/// let handler = any(async move |user, request| mcp(user, known, request).await);
/// let app: Router = Router::new().route("/mcp", handler);
///
/// for name in ["ada", "bob", "ada"] {
///     // In place of the layer that checks who it is.
///     let mut app = app.clone().layer(Extension(User(name.to_owned())));
///     let call = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
///         "params": {"name": "owner"}}"#;
///     let request = Request::post("/mcp")
///         .header("host", "localhost")
///         .header("content-type", "application/json")
///         .body(Body::from(call))?;
///     let answer = to_bytes(app.call(request).await?.into_body(), 1024).await?;
///     assert!(String::from_utf8_lossy(&answer).contains(&format!("\"text\":\"{name}\"")));
/// }
/// assert_eq!(servers.0.lock().unwrap().len(), 2);
/// # Ok(())
/// # }
/// ```
///
/// Where only what the tools know differs, one registry is enough: they ask the context, as above.
/// The URIs of resources should then say whose they are, since
/// [`resource_updated`](ToolRegistry::resource_updated) reaches everybody who has subscribed.
///
/// [`ToolRegistryBuilder::tool_filter`]: crate::ToolRegistryBuilder::tool_filter
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    gate: Gate,
    shared: Shared,
    _bridge: Option<Arc<Bridge>>,
    sessions: Option<Arc<Store>>,
}

impl Service {
    /// A service of `registry` with the default options: for clients on this machine.
    pub fn new(registry: ToolRegistry) -> Self {
        Self::with(registry, Options::default())
    }

    /// A service with options.
    pub fn with(registry: ToolRegistry, options: Options) -> Self {
        let gate = Gate::new(&registry, &options);
        let threads = Threads::new(options.limits.sync_threads);
        share_tasks(&registry, &options);
        let bridge = options.bus.clone().map(|bus| Bridge::new(&registry, bus));
        let sessions = options.sessions.clone().map(Store::new);
        let keeper = keeper(&options);
        Self(Arc::new(Inner {
            gate,
            _bridge: bridge,
            sessions,
            shared: Shared { registry, options, threads, open: Arc::default(), keeper },
        }))
    }

    /// Takes no more requests and ends subscriptions; running calls have `grace` to end, for which
    /// clients may answer their questions as long as the router takes requests, and are then
    /// answered with an error result. Returns once every request is answered and the end of every
    /// task is stored, at the latest a second after `grace`.
    pub async fn close(&self, grace: Duration) {
        self.0.shared.open.close(grace, false).await;
    }

    /// Like [`Service::close`], where no more requests arrive, and so no answers of clients: calls
    /// that ask do not wait for them.
    pub(super) async fn close_unheard(&self, grace: Duration) {
        self.0.shared.open.close(grace, true).await;
    }

    /// Answers a request.
    pub(super) async fn respond<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        self.0.answer(request).await.unwrap_or_else(Refusal::into_response)
    }

    pub(super) fn options(&self) -> &Options {
        &self.0.shared.options
    }
}

/// Keeps the tasks of the registry where all replicas find them.
#[cfg(feature = "redis")]
fn share_tasks(registry: &ToolRegistry, options: &Options) {
    let server = registry.server();
    if let Some(tasks) = options.tasks.clone().filter(|_| server.offers.tasks)
        && server.tasks.set(Arc::new(tasks.within(server.task_bounds))).is_err()
    {
        tracing::warn!("the registry has tasks already, which stay in this process");
    }
}

#[cfg(not(feature = "redis"))]
fn share_tasks(_: &ToolRegistry, _: &Options) {}

/// What keeps the state of calls, in place of the registry.
#[cfg(feature = "sealed-state")]
fn keeper(options: &Options) -> Option<Arc<dyn Keeper>> {
    let key = options.state_key.as_ref()?;
    Some(Arc::new(super::sealed::Sealed::new(key)))
}

#[cfg(not(feature = "sealed-state"))]
fn keeper(_: &Options) -> Option<Arc<dyn Keeper>> {
    None
}

#[cfg(test)]
impl Service {
    /// How many sessions there are.
    pub(super) fn sessions(&self) -> usize {
        self.0.sessions.as_ref().map_or(0, |sessions| sessions.len())
    }
}

impl Inner {
    async fn answer<B>(&self, request: Request<B>) -> Result<Response<Body>, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (mut head, body) = request.into_parts();
        let auth = self.shared.options.auth.as_ref();
        let registry = &self.shared.registry;
        if let Some(auth) = auth.filter(|auth| auth.is_metadata(head.uri.path())) {
            return Ok(auth.metadata(&head.method, registry));
        }
        self.gate.source(&head)?;
        let caller = match auth {
            Some(auth) => Some(auth.authorize(&mut head, registry).await?),
            // A layer of the router has checked it.
            None => head.extensions.get::<Caller>().cloned(),
        };
        let method = self.gate.method(&head.method)?;
        let owner = || caller.as_ref().map(|caller| caller.subject.as_str());
        if let Some(sessions) = self.sessions.as_ref().filter(|_| method != Method::POST) {
            return self.of_session(sessions, &head, owner());
        }
        let accepts = self.gate.post(&head.headers)?;
        let may_end = || {
            (self.sessions.is_some() && head.headers.contains_key(&sessions::SESSION_ID))
                || routing::asks_for_tasks(&head.headers)
        };
        let admitted = self.shared.open.admit(self.shared.options.max_requests, may_end)?;
        let body = self.read(body).await?;
        let reply = self.post(head, caller, accepts, admitted, &body)?;
        drop(body);
        match reply {
            Reply::Now(response) => Ok(response),
            Reply::Later(response) => response.await,
        }
    }

    /// Answers a POST whose body has come.
    fn post(
        &self,
        head: Parts,
        caller: Option<Caller>,
        accepts: Accepts,
        admitted: Admitted,
        body: &[u8],
    ) -> Result<Reply, Refusal> {
        let Read { era, message, text } = self.gate.body(&head.headers, body)?;
        let admitted = admitted.for_message(|| may_end(&message, text))?;
        if let (Some(auth), Some(caller)) = (&self.shared.options.auth, &caller) {
            auth.allow(caller, body, &self.shared.registry)?;
        }
        let sessions = self.sessions.as_ref().filter(|_| era != Era::Modern);
        let sessions = sessions.map(|sessions| {
            let owner = caller.as_ref().map(|caller| caller.subject.as_str());
            (sessions, Named::read(&head.headers, owner))
        });
        let extensions = move |extensions: &mut Extensions| {
            extensions.insert::<Parts>(head);
            if let Some(caller) = caller {
                extensions.insert(Owner(caller.subject.as_str().into()));
                extensions.insert(caller);
            }
        };
        let posted = Posted { message, text, accepts, extensions, admitted };
        match sessions {
            Some((sessions, named)) => sessions::post(sessions, &self.shared, named, posted),
            None => exchange::answer(&self.shared, era, posted),
        }
    }

    /// Answers a GET or DELETE, which have no body.
    fn of_session(
        &self,
        sessions: &Arc<Store>,
        head: &Parts,
        owner: Option<&str>,
    ) -> Result<Response<Body>, Refusal> {
        let named = Named::read(&head.headers, owner);
        if head.method == Method::DELETE {
            self.gate.delete(&head.headers)?;
            return sessions::delete(sessions, &named);
        }
        self.gate.get(&head.headers)?;
        sessions::get(sessions, &self.shared, &named, &head.headers)
    }

    /// Reads a body, which may be neither too large nor too slow.
    async fn read<B>(&self, body: B) -> Result<Bytes, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        if body.size_hint().lower() > self.shared.options.max_body as u64 {
            return Err(self.gate.too_large());
        }
        let mut all = pin!(self.collect(body));
        // Most bodies come with their heads.
        if let Poll::Ready(all) = poll_fn(|cx| Poll::Ready(all.as_mut().poll(cx))).await {
            return all;
        }
        timeout(self.shared.options.body_timeout, all).await.unwrap_or_else(|_| {
            let message = "the body took too long to arrive";
            Err(Refusal::plain(StatusCode::REQUEST_TIMEOUT, message)
                .with_header(CONNECTION, "close"))
        })
    }

    async fn collect<B>(&self, body: B) -> Result<Bytes, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let mut body = pin!(body);
        // A body in one piece is not copied.
        let (mut piece, mut pieces) = (Bytes::new(), Vec::new());
        while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
            let frame = frame.map_err(|error| {
                let message = format!("the body cannot be read: {}", error.into());
                Refusal::plain(StatusCode::BAD_REQUEST, message)
            })?;
            let Ok(mut data) = frame.into_data() else { continue };
            let length = data.remaining();
            if piece.len() + pieces.len() + length > self.shared.options.max_body {
                return Err(self.gate.too_large());
            }
            if piece.is_empty() && pieces.is_empty() {
                piece = data.copy_to_bytes(length);
                continue;
            }
            if pieces.is_empty() {
                pieces.reserve(piece.len() + length + body.size_hint().lower() as usize);
                pieces.put(std::mem::take(&mut piece));
            }
            pieces.put(data);
        }
        let mut all = if pieces.is_empty() { piece } else { pieces.into() };
        // Some clients write the mark of UTF-8 first, here as on standard input.
        if all.starts_with(BOM) {
            all.advance(BOM.len());
        }
        Ok(all)
    }
}

/// True of a message that may end a call or a task, and begins nothing.
fn may_end(message: &Message<'_>, text: &str) -> bool {
    let is_silent =
        |message: &Message<'_>| matches!(message, Message::Notification(..) | Message::Response(_));
    match message {
        Message::Request(request) => routing::is_about_tasks(&request.method),
        Message::Batch => scan::elements(text)
            .is_ok_and(|mut all| all.all(|element| is_silent(&Message::read(element)))),
        message => is_silent(message),
    }
}

impl<B> tower_service::Service<Request<B>> for Service
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.respond(request).await) })
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("registry", &self.0.shared.registry).finish_non_exhaustive()
    }
}
