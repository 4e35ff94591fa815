//! Requests over HTTP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::subject::{Subject, words};

const PATIENCE: Duration = Duration::from_secs(10);

/// A request: headers instead of the usual ones, and a body.
struct Case {
    name: &'static str,
    target: &'static str,
    headers: &'static [&'static str],
    body: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name, target, headers: &'static [&'static str], body: &[u8]| {
        cases.push(Case { name, target, headers, body: body.into() });
    };
    const POST: &str = "POST /mcp";
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    add("a ping", POST, &[], ping);
    for (name, body) in [
        ("no body", "".to_owned()),
        ("broken JSON", "{".to_owned()),
        ("broken JSON, its id is readable", r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#.into()),
        ("two messages", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}"#.into()),
        ("a byte order mark", "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".into()),
        ("a scalar", "1".into()),
        ("a batch", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.into()),
        ("an empty batch", "[]".into()),
        ("id null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.into()),
        ("id 1.5", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.into()),
        ("no version", r#"{"id":1,"method":"ping"}"#.into()),
        ("no method", r#"{"jsonrpc":"2.0","id":1}"#.into()),
        ("an unknown method", r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#.into()),
        ("an unknown tool", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no such"}}"#.into()),
        ("an argument of another type", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":"x","b":1}}}"#.into()),
        ("arguments that are broken JSON", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,}}}"#.into()),
        ("a notification", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.into()),
        ("an answer to nothing", r#"{"jsonrpc":"2.0","id":9,"result":{}}"#.into()),
        ("a body of 5 MB", format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","more":"{}"}}"#, "x".repeat(5_000_000))),
        ("an argument 5,000 levels deep", format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"add","arguments":{{"a":{}{}}}}}}}"#, "[".repeat(5_000), "]".repeat(5_000))),
    ] {
        add(name, POST, &[], body.as_bytes());
    }
    add(
        "bytes that are not UTF-8",
        POST,
        &[],
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}",
    );
    add("Content-Type: text/plain", POST, &["content-type: text/plain"], ping);
    add("no Content-Type", POST, &["content-type:"], ping);
    add(
        "Content-Type: Application/JSON; charset=utf-8",
        POST,
        &["content-type: Application/JSON; charset=utf-8"],
        ping,
    );
    add("no Accept", POST, &["accept:"], ping);
    add("Accept: */*", POST, &["accept: */*"], ping);
    add("Accept: application/json", POST, &["accept: application/json"], ping);
    add("Accept: text/event-stream", POST, &["accept: text/event-stream"], ping);
    add("Accept: text/html", POST, &["accept: text/html"], ping);
    add("Host: evil.example.com", POST, &["host: evil.example.com"], ping);
    add("two Host lines", POST, &["host: localhost\r\nhost: localhost"], ping);
    add("no Host", POST, &["host:"], ping);
    add("Origin: http://evil.example.com", POST, &["origin: http://evil.example.com"], ping);
    add("Origin: null", POST, &["origin: null"], ping);
    add("MCP-Protocol-Version: 1999-01-01", POST, &["mcp-protocol-version: 1999-01-01"], ping);
    add("no session id", POST, &["mcp-session-id:"], ping);
    add(
        "an unknown session id",
        POST,
        &["mcp-session-id: 00000000-0000-0000-0000-000000000000"],
        ping,
    );
    let hello = hello().to_string();
    add(
        "a handshake with an unknown session id",
        POST,
        &["mcp-session-id: 00000000-0000-0000-0000-000000000000"],
        hello.as_bytes(),
    );
    add("GET", "GET /mcp", &["accept: text/event-stream"], b"");
    add("GET without Accept", "GET /mcp", &["accept:"], b"");
    add(
        "GET with an unknown Last-Event-ID",
        "GET /mcp",
        &["accept: text/event-stream", "last-event-id: none"],
        b"",
    );
    add("PUT", "PUT /mcp", &[], b"");
    add("OPTIONS", "OPTIONS /mcp", &[], b"");
    add("another path", "POST /other", &[], ping);
    modern(&mut cases);
    cases
}

/// Requests of 2026-07-28.
fn modern(cases: &mut Vec<Case>) {
    let body = |method: &str, version: &str, meta: bool| {
        let meta = match meta {
            true => format!(
                r#","_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}"#
            ),
            false => String::new(),
        };
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"name":"add","arguments":{{"a":1,"b":2}}{meta}}}}}"#
        )
    };
    const NEW: &str = "2026-07-28";
    const VERSION: &str = "mcp-protocol-version: 2026-07-28";
    const METHOD: &str = "mcp-method: tools/call";
    let good = body("tools/call", NEW, true);
    for (name, headers, body) in [
        (
            "2026-07-28: a call",
            &["mcp-session-id:", VERSION, METHOD, "mcp-name: add"][..],
            good.clone(),
        ),
        (
            "2026-07-28: no _meta",
            &["mcp-session-id:", VERSION, METHOD, "mcp-name: add"],
            body("tools/call", NEW, false),
        ),
        (
            "2026-07-28: no MCP-Protocol-Version",
            &["mcp-session-id:", METHOD, "mcp-name: add"],
            good.clone(),
        ),
        (
            "2026-07-28: another MCP-Protocol-Version",
            &["mcp-session-id:", "mcp-protocol-version: 2025-11-25", METHOD, "mcp-name: add"],
            good.clone(),
        ),
        (
            "version 2099-01-01 in both",
            &["mcp-session-id:", "mcp-protocol-version: 2099-01-01", METHOD, "mcp-name: add"],
            body("tools/call", "2099-01-01", true),
        ),
        ("2026-07-28: no Mcp-Method", &["mcp-session-id:", VERSION, "mcp-name: add"], good.clone()),
        (
            "2026-07-28: another Mcp-Method",
            &["mcp-session-id:", VERSION, "mcp-method: tools/list", "mcp-name: add"],
            good.clone(),
        ),
        ("2026-07-28: no Mcp-Name", &["mcp-session-id:", VERSION, METHOD], good.clone()),
        (
            "2026-07-28: another Mcp-Name",
            &["mcp-session-id:", VERSION, METHOD, "mcp-name: sub"],
            good.clone(),
        ),
        (
            "2026-07-28: Mcp-Name in base64",
            &["mcp-session-id:", VERSION, METHOD, "mcp-name: =?base64?YWRk?="],
            good.clone(),
        ),
        (
            "2026-07-28: Mcp-Name in bad base64",
            &["mcp-session-id:", VERSION, METHOD, "mcp-name: =?base64?YWR?="],
            good.clone(),
        ),
        (
            "2026-07-28: an unknown method",
            &["mcp-session-id:", VERSION, "mcp-method: no/such"],
            body("no/such", NEW, true),
        ),
        (
            "2026-07-28: initialize",
            &["mcp-session-id:", VERSION, "mcp-method: initialize"],
            body("initialize", NEW, true),
        ),
        ("2026-07-28: a session id", &[VERSION, METHOD, "mcp-name: add"], good),
    ] {
        cases.push(Case { name, target: "POST /mcp", headers, body: body.into() });
    }
}

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}})
}

struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn answers(subject: &Subject) -> Vec<(&'static str, String)> {
    let mut child = subject.http().stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut address = String::new();
    while !address.starts_with("listening on ") {
        address.clear();
        assert!(log.read_line(&mut address).unwrap() > 0, "{} does not listen", subject.name);
    }
    std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
    let address = address.split('/').nth(2).unwrap().to_owned();
    let server = Server { child, address };
    let mut session = None;
    if subject.has_sessions {
        let hello = Case {
            name: "",
            target: "POST /mcp",
            headers: &["mcp-protocol-version:"],
            body: hello().to_string().into(),
        };
        let (head, _) = server.ask(&hello, None);
        let named = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.to_owned())
        };
        let line = head.lines().find_map(named);
        let line = line.unwrap_or_else(|| panic!("{} has no session: {head}", subject.name));
        session = Some(line);
    }
    let answer = |case: &Case| {
        let (head, body) = server.ask(case, session.as_deref());
        (case.name, short(&head, &body))
    };
    cases().iter().map(answer).collect()
}

impl Server {
    /// The head of the answer, and its body or first event.
    fn ask(&self, case: &Case, session: Option<&str>) -> (String, String) {
        let mut lines = vec![
            format!("host: {}", self.address),
            "content-type: application/json".to_owned(),
            "accept: application/json, text/event-stream".to_owned(),
            "mcp-protocol-version: 2025-11-25".to_owned(),
        ];
        lines.extend(session.map(|id| format!("mcp-session-id: {id}")));
        let name = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
        lines.retain(|line| !case.headers.iter().any(|other| name(other) == name(line)));
        lines.extend(
            case.headers.iter().filter(|line| !line.ends_with(':')).map(|line| (*line).to_owned()),
        );
        let head = format!(
            "{} HTTP/1.1\r\n{}\r\ncontent-length: {}\r\n\r\n",
            case.target,
            lines.join("\r\n"),
            case.body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        // A server that refuses it may close before it has read everything.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&case.body));
        let mut bytes = Vec::new();
        let mut part = [0; 16 * 1024];
        let is_get = case.target.starts_with("GET");
        while !is_whole(&String::from_utf8_lossy(&bytes), is_get) {
            match stream.read(&mut part) {
                Ok(length) if length > 0 => bytes.extend_from_slice(&part[..length]),
                _ => break,
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        (head.to_owned(), body.to_owned())
    }
}

/// True if nothing more is needed of an answer.
fn is_whole(text: &str, is_get: bool) -> bool {
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let head = head.to_ascii_lowercase();
    if let Some((_, length)) = head.split_once("content-length: ") {
        let length: usize = length.lines().next().unwrap_or_default().parse().unwrap_or_default();
        return body.len() >= length;
    }
    // Of a stream without a request the first event or comment is enough.
    let is_stream = head.contains("text/event-stream") && head.contains(" 200 ");
    let is_enough = event(body).is_some() || (is_stream && is_get && body.contains("\n\n"));
    !head.contains("chunked") || body.ends_with("0\r\n\r\n") || is_enough
}

/// The first message of a stream.
fn event(body: &str) -> Option<Value> {
    body.lines().find_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
}

fn short(head: &str, body: &str) -> String {
    let head = head.to_ascii_lowercase();
    let Some(status) = head.split(' ').nth(1) else { return "closes".to_owned() };
    // In chunks, of which the first is all of it.
    let json = body.lines().find(|line| line.starts_with(['{', '[']));
    let json = json.and_then(|line| serde_json::from_str::<Value>(line).ok());
    match event(body).or(json) {
        Some(Value::Array(answers)) => format!("{status} array of {}", answers.len()),
        Some(message) => format!("{status} {}", words(&message)),
        None if head.contains("text/event-stream") => format!("{status} stream"),
        None if body.trim_matches(['0', '\r', '\n']).is_empty() => status.to_owned(),
        None => format!("{status} text"),
    }
}
