//! A client of raw requests, whose answers are judged by the schema of their revision.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::judge::Exchange;

/// Longer than anything takes unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) const MODERN: &str = "2026-07-28";

/// A request, with all headers that it needs unless others replace them.
#[derive(Debug, Clone)]
pub(super) struct Request {
    method: &'static str,
    /// By their names in lower case.
    headers: BTreeMap<String, String>,
    body: String,
}

impl Request {
    pub(super) fn new(method: &'static str, body: &str) -> Self {
        let request = Self { method, headers: BTreeMap::new(), body: body.to_owned() };
        let request = request.with("host", "localhost");
        match method {
            "POST" => request
                .with("content-type", "application/json")
                .with("accept", "application/json, text/event-stream"),
            _ => request.with("accept", "text/event-stream"),
        }
    }

    /// A message of a legacy revision.
    pub(super) fn legacy(version: &str, message: &Value) -> Self {
        Self::new("POST", &message.to_string()).with("mcp-protocol-version", version)
    }

    /// A message in a session.
    pub(super) fn in_session(id: &str, message: &Value) -> Self {
        Self::new("POST", &message.to_string()).with("mcp-session-id", id)
    }

    pub(super) fn modern(id: u64, method: &str, params: &Value) -> Self {
        let mut params = params.clone();
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        params["_meta"]["io.modelcontextprotocol/logLevel"] = "debug".into();
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let request = Self::legacy(MODERN, &message).with("mcp-method", method);
        match params["name"].as_str() {
            Some(name) => request.with("mcp-name", name),
            None => request,
        }
    }

    pub(super) fn call(tool: &str, arguments: &Value) -> Self {
        let meta = json!({"progressToken": "p"});
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        Self::modern(1, "tools/call", &params)
    }

    /// Has this header; without a value, not at all.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.to_owned());
        self.headers.retain(|_, value| !value.is_empty());
        self
    }

    /// The bytes of the head, without the empty line.
    pub(super) fn head(&self) -> String {
        let mut head = format!("{} /mcp HTTP/1.1\r\n", self.method);
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head
    }

    pub(super) fn bytes(&self) -> String {
        let Self { body, .. } = self;
        format!("{}content-length: {}\r\n\r\n{body}", self.head(), body.len())
    }
}

/// A connection.
#[derive(Debug)]
pub(super) struct Client {
    stream: BufReader<TcpStream>,
    exchange: Option<Exchange>,
    /// How the body of the present response comes.
    left: Left,
}

#[derive(Debug, Clone, Copy)]
enum Left {
    Bytes(usize),
    Chunks,
}

/// A whole response.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: String,
}

impl Response {
    /// The messages: one of JSON, or those of the events.
    pub(super) fn messages(&self) -> Vec<Value> {
        match self.headers.get("content-type").map(String::as_str) {
            Some("text/event-stream") => messages(&self.body),
            _ => Vec::from_iter(serde_json::from_str::<Value>(&self.body)),
        }
    }

    /// The last message.
    pub(super) fn answer(&self) -> Value {
        self.messages().pop().unwrap_or_default()
    }
}

/// The messages of whole events.
pub(super) fn messages(events: &str) -> Vec<Value> {
    let texts = events.lines().filter_map(|line| line.strip_prefix("data: "));
    texts.map(|text| serde_json::from_str(text).unwrap()).collect()
}

impl Client {
    /// Connects to a server by its URL.
    pub(super) async fn connect(url: &str) -> Self {
        let address = url.trim_start_matches("http://").split('/').next().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), exchange: None, left: Left::Bytes(0) }
    }

    /// Sends a request and reads its response to the end.
    pub(super) async fn ask(&mut self, request: &Request) -> Response {
        let mut response = self.begin(request).await;
        while let Some(part) = self.part().await {
            response.body += &part;
        }
        response
    }

    /// Sends a request and reads the head of its response.
    pub(super) async fn begin(&mut self, request: &Request) -> Response {
        let header = |name: &str| request.headers.get(name).cloned();
        self.exchange = Some(Exchange::of(header, &request.body));
        self.write(request.bytes().as_bytes()).await;
        self.head().await
    }

    pub(super) async fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Reads the head of a response.
    pub(super) async fn head(&mut self) -> Response {
        let line = self.line().await;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status: {line:?}"));
        let mut headers = BTreeMap::new();
        while let Some((name, value)) = self.line().await.split_once(": ") {
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        self.left = match headers.get("content-length") {
            Some(length) => Left::Bytes(length.parse().unwrap()),
            None if headers.contains_key("transfer-encoding") => Left::Chunks,
            None => Left::Bytes(0),
        };
        if let Some(exchange) = &mut self.exchange {
            exchange.begins(status, |name| headers.get(name).cloned());
        }
        Response { status, headers, body: String::new() }
    }

    /// The next part of the body; `None` at its end.
    pub(super) async fn part(&mut self) -> Option<String> {
        let length = match self.left {
            Left::Bytes(length) => length,
            Left::Chunks => usize::from_str_radix(&self.line().await, 16).unwrap(),
        };
        let mut bytes = vec![0; length];
        timeout(PATIENCE, self.stream.read_exact(&mut bytes)).await.expect("a body").unwrap();
        match self.left {
            Left::Bytes(_) => self.left = Left::Bytes(0),
            Left::Chunks => assert_eq!(self.line().await, ""),
        }
        let text = String::from_utf8(bytes).unwrap();
        if let Some(exchange) = &mut self.exchange {
            match length {
                0 => exchange.ends(),
                _ => exchange.says(&text),
            }
        }
        (length > 0).then_some(text)
    }

    /// Everything until the server closes the connection.
    pub(super) async fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        // A server that closes early may reset the connection after its answer.
        let _ = timeout(PATIENCE, self.stream.read_to_end(&mut bytes)).await.expect("an end");
        String::from_utf8(bytes).unwrap()
    }

    #[cfg(target_os = "linux")]
    pub(super) fn into_stream(self) -> TcpStream {
        self.stream.into_inner()
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        timeout(PATIENCE, self.stream.read_line(&mut line)).await.expect("a line").unwrap();
        line.trim_end().to_owned()
    }
}
