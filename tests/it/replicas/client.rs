use std::sync::atomic::{AtomicU64, Ordering};

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::HeaderValue;
use hyper::http::request::Builder;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::PATIENCE;

/// One connection to a server, as a client of JSON-RPC has several of.
#[derive(Debug)]
pub(super) struct Client {
    address: String,
    /// The name by which it addresses the server.
    pub(super) host: &'static str,
    connection: Option<SendRequest<Full<Bytes>>>,
}

/// How a request says what it belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Era<'a> {
    /// Each request says everything, in 2026-07-28.
    Modern,
    /// A request of 2025-11-25 without a session.
    Stateless,
    /// One in a session of 2025-11-25.
    Session(&'a str),
}

/// An answer to one request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// The address of the replica that has answered last, if a proxy says so.
    pub(super) replica: String,
    pub(super) session: Option<String>,
    pub(super) message: Value,
}

/// A response that has no end.
#[derive(Debug)]
pub(super) struct Listener {
    /// The address of the replica that it listens to, if a proxy says so.
    pub(super) replica: String,
    body: Incoming,
    unread: String,
}

impl Client {
    pub(super) fn new(address: &str) -> Self {
        Self { address: address.to_owned(), host: "localhost", connection: None }
    }

    /// Sends a request and reads the whole answer. An error says that there is none.
    pub(super) async fn ask(
        &mut self,
        era: Era<'_>,
        method: &str,
        params: Value,
    ) -> Result<Answer, hyper::Error> {
        let response = self.send(post(era, method, params)).await?;
        let status = response.status().as_u16();
        let replica = replica(&response);
        let session = header(&response, "mcp-session-id").map(str::to_owned);
        let body = response.into_body().collect().await?.to_bytes();
        let text = String::from_utf8(body.to_vec()).unwrap();
        let message = events(&text).pop().or_else(|| text.parse().ok()).unwrap_or_default();
        Ok(Answer { status, replica, session, message })
    }

    /// Calls a tool and gives the text that it returns.
    pub(super) async fn call(&mut self, era: Era<'_>, tool: &str, arguments: Value) -> String {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.ask(era, "tools/call", params).await.unwrap();
        answer.text().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
    }

    /// Begins a session, and gives its id.
    pub(super) async fn begin(&mut self) -> String {
        let params = json!({"protocolVersion": "2025-11-25"});
        let begun = self.ask(Era::Stateless, "initialize", params).await.unwrap();
        let id = begun.session.unwrap();
        let era = Era::Session(&id);
        let told = self.ask(era, "notifications/initialized", json!({})).await.unwrap();
        assert_eq!(told.status, 202);
        id
    }

    /// Listens for changes of the tools.
    pub(super) async fn listen(self, era: Era<'_>) -> Listener {
        self.listen_for(era, json!({"toolsListChanged": true})).await
    }

    /// Listens for what is wanted, in a session for everything.
    pub(super) async fn listen_for(mut self, era: Era<'_>, wanted: Value) -> Listener {
        let request = match era {
            Era::Modern => post(era, "subscriptions/listen", json!({"notifications": wanted})),
            _ => builder(era).method(Method::GET).body(Full::default()).unwrap(),
        };
        let response = self.send(request).await.unwrap();
        assert_eq!(response.status(), 200);
        let replica = replica(&response);
        let mut listener = Listener { replica, body: response.into_body(), unread: String::new() };
        if matches!(era, Era::Modern) {
            let acknowledged = listener.next().await.unwrap();
            assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
            assert_eq!(acknowledged["params"]["notifications"], wanted);
        }
        listener
    }

    /// Sends a request, on the same connection as the last one if it is still open.
    async fn send(
        &mut self,
        mut request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, hyper::Error> {
        request.headers_mut().insert("host", HeaderValue::from_static(self.host));
        let mut open = self.connection.take();
        if let Some(connection) = &mut open
            && connection.ready().await.is_err()
        {
            open = None;
        }
        let mut open = match open {
            Some(open) => open,
            None => {
                let stream = TcpStream::connect(&self.address).await.unwrap();
                let (open, connection) = http1::handshake(TokioIo::new(stream)).await?;
                tokio::spawn(connection);
                open
            }
        };
        let response = open.send_request(request).await;
        self.connection = Some(open);
        response
    }
}

impl Answer {
    /// The text that a tool has returned.
    pub(super) fn text(&self) -> Option<&str> {
        self.message["result"]["content"][0]["text"].as_str()
    }
}

impl Listener {
    /// The next message, unless the stream has ended.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.unread.split_once("\n\n") {
                let message = events(event).pop();
                self.unread = rest.to_owned();
                match message {
                    Some(message) => return Some(message),
                    None => continue,
                }
            }
            let frame = self.body.frame().await?.ok()?.into_data().ok()?;
            self.unread += std::str::from_utf8(&frame).unwrap();
        }
    }

    /// Waits for a change of the tools.
    pub(super) async fn change(&mut self) {
        self.told("notifications/tools/list_changed").await;
    }

    /// Waits until a task has this status, and gives what is said of it.
    pub(super) async fn task(&mut self, status: &str) -> Value {
        loop {
            let task = self.told("notifications/tasks").await;
            if task["status"] == status {
                return task;
            }
        }
    }

    /// Waits for a notification and gives its parameters.
    async fn told(&mut self, method: &str) -> Value {
        let message = timeout(PATIENCE, self.next()).await.expect("it hears of it");
        let mut message = message.expect("the stream goes on");
        assert_eq!(message["method"], method);
        message["params"].take()
    }
}

fn header<'a>(response: &'a Response<Incoming>, name: &str) -> Option<&'a str> {
    response.headers().get(name).and_then(|value| value.to_str().ok())
}

/// The last of those that a proxy has tried.
fn replica(response: &Response<Incoming>) -> String {
    let tried = header(response, "x-replica").unwrap_or_default();
    tried.rsplit(", ").next().unwrap_or_default().to_owned()
}

/// The messages of events.
fn events(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| data.parse().ok()).collect()
}

/// In a session no two requests may have the same id at once, on whatever connections.
fn post(era: Era<'_>, method: &str, mut params: Value) -> Request<Full<Bytes>> {
    let mut builder = builder(era).method(Method::POST).header("content-type", "application/json");
    if let Era::Modern = era {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {
                "elicitation": {},
                "extensions": {"io.modelcontextprotocol/tasks": {}},
            },
        });
        builder = builder.header("mcp-method", method);
        if let Some(name) = params["name"].as_str().or(params["taskId"].as_str()) {
            builder = builder.header("mcp-name", name);
        }
    }
    let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
    if !method.starts_with("notifications/") {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        message["id"] = NEXT.fetch_add(1, Ordering::Relaxed).into();
    }
    builder.body(message.to_string().into()).unwrap()
}

fn builder(era: Era<'_>) -> Builder {
    let (version, session) = match era {
        Era::Modern => ("2026-07-28", None),
        Era::Stateless => ("2025-11-25", None),
        Era::Session(id) => ("2025-11-25", Some(id)),
    };
    let builder = Request::builder()
        .uri("/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", version);
    session.into_iter().fold(builder, |builder, id| builder.header("mcp-session-id", id))
}
