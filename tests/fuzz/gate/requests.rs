//! Requests of a client: good ones, unusual ones, and damaged ones.

use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request};

use crate::damage::damage;
use crate::dice::Dice;
use crate::session::Lines;

/// A request that a server has read.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    pub(super) head: Parts,
    pub(super) body: Vec<u8>,
}

const METHODS: [&str; 6] = ["GET", "DELETE", "PUT", "OPTIONS", "HEAD", "BREW"];
const HOSTS: [&str; 8] = [
    "localhost",
    "LOCALHOST:1",
    "127.0.0.1:8080",
    "[::1]:80",
    "[::1",
    "evil.example.com",
    "localhost@evil.example.com",
    "localhost:99999999",
];
const ORIGINS: [&str; 6] = [
    "http://localhost",
    "https://127.0.0.1:3000",
    "null",
    "http://evil.example.com",
    "http://localhost@evil.example.com",
    "://",
];
const KINDS: [&str; 6] = [
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/json;",
    "text/plain",
    "application/json-rpc",
    ";",
];
const ACCEPTS: [&str; 9] = [
    "application/json, text/event-stream",
    "*/*",
    "application/*;q=0.5",
    "text/event-stream",
    "application/json;q=0",
    "text/html",
    ",;,q=0",
    "*/*;q=0, text/event-stream;q=1",
    "",
];
const VERSIONS: [&str; 7] = [
    "2026-07-28",
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
    "2024-10-07",
    " 2025-11-25 ",
];
const NAMED: [&str; 8] = [
    "tools/call",
    "tools/list",
    "ping",
    "initialize",
    "TOOLS/CALL",
    "=?base64?dG9vbHMvY2FsbA==?=",
    "=?base64?%%?=",
    "server/discover",
];
const TOOLS: [&str; 6] =
    ["add", "text", "=?base64?YWRk?=", "=?base64?YWR?=", "=?BASE64?YWRk?=", "no such"];
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// The generator.
pub(super) struct Requests {
    dice: Dice,
    lines: Lines,
}

impl Requests {
    pub(super) fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), lines: Lines::new(seed) }
    }

    pub(super) fn next(&mut self) -> Sent {
        let (mut headers, mut body) = match self.dice.roll(3) {
            0 => self.modern(),
            _ => self.legacy(),
        };
        let dice = &mut self.dice;
        let method = if dice.one_in(20) { dice.pick(&METHODS) } else { "POST" };
        for _ in 0..dice.roll(3) / 2 * (1 + dice.roll(2)) {
            change(dice, &mut headers);
        }
        if dice.one_in(4) {
            damage(dice, &mut body);
        }
        let request = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap());
        let (mut head, ()) = request.uri("/mcp").body(()).unwrap().into_parts();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                head.headers.append(name, value);
            }
        }
        Sent { head, body }
    }

    /// Headers and a body that belong together.
    fn modern(&mut self) -> (Vec<(&'static str, Vec<u8>)>, Vec<u8>) {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"add","arguments":{{"a":1,"b":2}},{META}}}}}"#
        );
        let list =
            format!(r#"{{"jsonrpc":"2.0","id":"s","method":"tools/list","params":{{{META}}}}}"#);
        let mut headers = common();
        headers.push(("mcp-protocol-version", b"2026-07-28".into()));
        let (method, body) = match self.dice.one_in(2) {
            true => ("tools/call", call),
            false => ("tools/list", list),
        };
        headers.push(("mcp-method", method.into()));
        if method == "tools/call" {
            headers.push(("mcp-name", b"add".into()));
        }
        if self.dice.one_in(16) {
            headers[3].1 = b"2099-01-01".into();
            return (headers, body.replace("2026-07-28", "2099-01-01").into());
        }
        (headers, body.into())
    }

    /// Any line as a body.
    fn legacy(&mut self) -> (Vec<(&'static str, Vec<u8>)>, Vec<u8>) {
        let mut headers = common();
        if !self.dice.one_in(5) {
            headers.push(("mcp-protocol-version", self.dice.pick(&VERSIONS[1..5]).into()));
        }
        self.lines.advance();
        let mut body = self.lines.line().to_vec();
        if self.dice.one_in(8) {
            self.lines.advance();
            body = [b"[", &*body, b",", self.lines.line(), b"]"].concat();
        }
        (headers, body)
    }
}

fn common() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("host", b"localhost".into()),
        ("content-type", b"application/json".into()),
        ("accept", b"application/json, text/event-stream".into()),
    ]
}

/// Changes, adds or removes a header.
fn change(dice: &mut Dice, headers: &mut Vec<(&'static str, Vec<u8>)>) {
    const NAMES: [(&str, &[&str]); 8] = [
        ("host", &HOSTS),
        ("origin", &ORIGINS),
        ("content-type", &KINDS),
        ("accept", &ACCEPTS),
        ("mcp-protocol-version", &VERSIONS),
        ("mcp-method", &NAMED),
        ("mcp-name", &TOOLS),
        ("mcp-session-id", &["x", "1-2", ""]),
    ];
    let at = dice.roll(headers.len());
    match dice.roll(6) {
        0 => drop(headers.remove(at)),
        1 => headers.push(headers[at].clone()),
        2 => damage(dice, &mut headers[at].1),
        _ => {
            let (name, values) = dice.pick(&NAMES);
            if !dice.one_in(4) {
                headers.retain(|(other, _)| *other != name);
            }
            headers.push((name, dice.pick(values).into()));
        }
    }
}
