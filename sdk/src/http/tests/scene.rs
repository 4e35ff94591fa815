//! A small server, and requests to it.

use std::convert::Infallible;
use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context as TaskContext, Poll, Waker};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Body as _, Frame};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tower_service::Service as _;

use super::judge::Exchange;
use crate::http::{Body, Gate, Options, Service};
use crate::{Context, Tool, ToolRegistry, ToolRegistryBuilder};

pub(super) const MODERN: &str = "2026-07-28";

/// A service with the tools `echo`, `routed` (whose arguments headers repeat), `writes` (which
/// needs a scope), `waits` (for the end of its call) and `steps` (which sends
/// progress, and waits for [`Scene::go`] before the last).
pub(super) struct Scene {
    pub(super) service: Service,
    pub(super) registry: ToolRegistry,
    /// How many calls of `waits` are running.
    pub(super) waiting: Arc<AtomicUsize>,
    pub(super) go: Arc<Notify>,
}

/// The body of a response, whose messages are judged by the schema of their revision.
pub(super) struct Heard {
    body: Body,
    /// `None` for what is no message.
    exchange: Option<Exchange>,
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Scene {
    pub(super) fn new(change: impl FnOnce(&mut Options)) -> Self {
        Self::of(|registry| registry, change)
    }

    pub(super) fn of(
        build: impl FnOnce(ToolRegistryBuilder) -> ToolRegistryBuilder,
        change: impl FnOnce(&mut Options),
    ) -> Self {
        let (waiting, go) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let schema = || json!({"type": "object"});
        let echo = Tool::new("echo", "", schema(), async |value: Value, _: Context| {
            value["text"].as_str().unwrap_or_default().to_owned()
        });
        let routed = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "zone": {
                "type": "object",
                "properties": {"number": {"type": "integer", "x-mcp-header": "Zone"}},
            },
            "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
        }});
        let routed =
            Tool::new("routed", "", routed, async |_: Value, _: Context| "arrived".to_owned());
        let writes = Tool::new("writes", "", schema(), async |_: Value, cx: Context| {
            cx.caller().map(|caller| format!("{} wrote", caller.subject))
        });
        let writes = writes.with_scopes(["notes:write"]);
        let count = waiting.clone();
        let waits = Tool::new("waits", "", schema(), move |_: Value, _: Context| {
            count.fetch_add(1, Ordering::SeqCst);
            let counted = Counted(count.clone());
            async move {
                let _counted = counted;
                pending::<&str>().await
            }
        });
        let gate = go.clone();
        let steps = Tool::new("steps", "", schema(), move |_: Value, cx: Context| {
            let gate = gate.clone();
            async move {
                cx.progress(0.5, "half");
                gate.notified().await;
                cx.progress(0.75, "more");
                "done"
            }
        });
        let tools = [echo, routed, writes, waits, steps];
        let registry = build(ToolRegistry::builder("scene").tools(tools)).build().unwrap();
        let mut options = Options::default();
        change(&mut options);
        let service = Service::with(registry.clone(), options);
        Self { service, registry, waiting, go }
    }

    pub(super) fn gate(&self) -> Gate {
        Gate::new(&self.registry, &Options::default())
    }

    pub(super) async fn send(&self, request: Request<String>) -> Response<Heard> {
        send(&self.service, request).await
    }

    /// Sends a request and reads the whole answer.
    pub(super) async fn ask(&self, request: Request<String>) -> (u16, String) {
        let response = self.send(request).await;
        let status = response.status().as_u16();
        (status, rest(response.into_body()).await)
    }
}

pub(super) async fn send(service: &Service, request: Request<String>) -> Response<Heard> {
    if request.uri().path().starts_with("/.well-known") {
        return send_unjudged(service, request).await;
    }
    let mut exchange = Exchange::of(text_of(request.headers()), request.body());
    let response = service.clone().call(request).await.unwrap();
    let (head, body) = response.into_parts();
    if !exchange.begins(head.status.as_u16(), text_of(&head.headers)) {
        // All of it is here, so that it is judged even if the test does not read it.
        let mut heard = Heard { body, exchange: Some(exchange) };
        let text = frame(&mut heard).await.unwrap_or_default();
        assert_eq!(frame(&mut heard).await, None);
        let body = Body::full(text.into());
        return Response::from_parts(head, Heard { body, exchange: None });
    }
    Response::from_parts(head, Heard { body, exchange: Some(exchange) })
}

/// Sends a request whose answer no schema of a revision has.
pub(super) async fn send_unjudged(service: &Service, request: Request<String>) -> Response<Heard> {
    let response = service.clone().call(request).await.unwrap();
    response.map(|body| Heard { body, exchange: None })
}

/// The headers of a request or a response, as texts.
pub(super) fn text_of(headers: &HeaderMap) -> impl Fn(&str) -> Option<String> {
    |name| Some(headers.get(name)?.to_str().ok()?.to_owned())
}

impl http_body::Body for Heard {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match (&polled, &mut self.exchange) {
            (Poll::Ready(Some(Ok(frame))), Some(exchange)) => {
                exchange.says(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
            }
            (Poll::Ready(None), Some(exchange)) => exchange.ends(),
            _ => {}
        }
        polled
    }
}

/// Everything that is left of a body.
pub(super) async fn rest(mut body: Heard) -> String {
    let mut text = String::new();
    while let Some(frame) = frame(&mut body).await {
        text += &frame;
    }
    text
}

pub(super) async fn frame(body: &mut Heard) -> Option<String> {
    let frame = std::future::poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await?;
    let bytes = frame.unwrap().into_data().unwrap();
    Some(String::from_utf8(bytes.to_vec()).unwrap())
}

/// True if the body has nothing now.
pub(super) fn is_silent(body: &mut Heard) -> bool {
    let mut cx = TaskContext::from_waker(Waker::noop());
    matches!(Pin::new(body).poll_frame(&mut cx), Poll::Pending)
}

/// Polls a future once, which must wait.
pub(super) async fn begin(mut future: Pin<&mut impl Future>) {
    assert!(poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await.is_pending());
}

/// A request from a raw text: lines for the head, an empty line, the body.
pub(super) fn raw(text: &str) -> Request<String> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines().map(str::trim_start);
    let (method, target) = lines.next().unwrap().split_once(' ').unwrap();
    let mut request = Request::builder().method(method).uri(target);
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        request = request.header(name, value.trim());
    }
    request.body(body.to_owned()).unwrap()
}

/// A POST in the modern era with all that it needs.
pub(super) fn modern(method: &str, name: Option<&str>, params: &Value) -> Request<String> {
    let mut params = params.clone();
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
    let capabilities = &mut params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    if capabilities.is_null() {
        *capabilities = json!({});
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let name = name.map(|name| format!("Mcp-Name: {name}\n")).unwrap_or_default();
    raw(&format!(
        "POST /mcp\nHost: localhost\nContent-Type: application/json\n\
         Accept: application/json, text/event-stream\nMCP-Protocol-Version: {MODERN}\n\
         Mcp-Method: {method}\n{name}\n{body}"
    ))
}

/// A modern call of a tool, which asks for progress.
pub(super) fn call(tool: &str, arguments: &Value) -> Request<String> {
    let meta = json!({"progressToken": "p"});
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    modern("tools/call", Some(tool), &params)
}

/// A legacy POST in the revision 2025-11-25.
pub(super) fn legacy(body: &Value) -> Request<String> {
    raw(&format!(
        "POST /mcp\nHost: localhost\nContent-Type: application/json\n\
         Accept: application/json, text/event-stream\nMCP-Protocol-Version: 2025-11-25\n\n{body}"
    ))
}
