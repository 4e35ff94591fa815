use super::case::{Case, How};
use super::lines::{call, hello};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const UNREADABLE: &[&str] = &["400 error -32700, no id"];
const UNREADABLE_WITH_ID: &[&str] = &["400 error -32700", "400 error -32700, no id"];
const NO_REQUEST: &[&str] = &["400 error -32600, no id"];
const REFUSED: &[&str] = &["400 error -32600"];
const RESULT: &[&str] = &["200 result"];
const TOOL: &[&str] = &["200 error result"];
const FORBIDDEN: &[&str] = &["403 error -32000, no id"];
const HOST: &[&str] = &["400 error -32000, no id", "400"];
const TYPE: &[&str] = &["415 error -32000, no id"];
const ACCEPT: &[&str] = &["406 error -32000, no id"];
const METHOD: &[&str] = &["405 error -32000, no id"];
const STREAM: &[&str] = &["200 stream", "405 error -32000, no id"];
const MISMATCH: &[&str] = &["400 error -32020"];
const PARAMS: &[&str] = &["400 error -32602"];
const VERSION: &[&str] = &["400 error -32022"];
const UNKNOWN: &[&str] = &["404 error -32601"];

const NEW: &str = "mcp-protocol-version: 2026-07-28";
const CALL: &str = "mcp-method: tools/call";
const NAME: &str = "mcp-name: add";
const NONE: &str = "mcp-session-id:";
const STALE: &[&str] = &["mcp-session-id: 00000000-0000-0000-0000-000000000000"];

fn body(name: &'static str, body: impl Into<Vec<u8>>, right: &'static [&'static str]) -> Case {
    Case::post(name, &[], body, right)
}

/// A body with one request whose id cannot be used, or with none.
fn none(name: &'static str, bytes: &str, right: &'static [&'static str]) -> Case {
    body(name, bytes, right).ids([""; 0])
}

fn head(
    name: &'static str,
    headers: &'static [&'static str],
    right: &'static [&'static str],
) -> Case {
    Case::post(name, headers, PING, right)
}

/// Another method, without a body.
fn bare(
    name: &'static str,
    target: &'static str,
    headers: &'static [&'static str],
    right: &'static [&'static str],
) -> Case {
    none(name, "", right).sent(How::Request { target, headers })
}

pub(crate) fn requests() -> Vec<Case> {
    [bodies(), heads(), modern()].into_iter().flatten().collect()
}

fn bodies() -> Vec<Case> {
    let large = |bytes: usize| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","more":"{}"}}"#, "x".repeat(bytes))
    };
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    vec![
        body("a ping", PING, RESULT),
        none("no body", "", UNREADABLE),
        none("broken JSON", "{", UNREADABLE),
        body(
            "broken JSON, its id is readable",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            UNREADABLE_WITH_ID,
        ),
        body("two messages", format!("{PING}{}", PING.replace('1', "2")), UNREADABLE_WITH_ID),
        body("a byte order mark", format!("\u{feff}{PING}"), RESULT),
        none("a scalar", "1", NO_REQUEST),
        body("a batch", format!("[{PING}]"), NO_REQUEST),
        none("an empty batch", "[]", NO_REQUEST),
        none("id null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, NO_REQUEST),
        none("id 1.5", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, NO_REQUEST),
        none("id true", r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, NO_REQUEST),
        body("no version", r#"{"id":1,"method":"ping"}"#, REFUSED),
        body("no method", r#"{"jsonrpc":"2.0","id":1}"#, REFUSED),
        body(
            "an unknown method",
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
            &["200 error -32601"],
        ),
        body(
            "an unknown tool",
            call("1", "no such", "{}"),
            &["200 error -32602", "400 error -32602"],
        ),
        body("an argument of another type", call("1", "add", r#"{"a":"x","b":1}"#), TOOL),
        body("arguments that are broken JSON", call("1", "add", r#"{"a":1,}"#), UNREADABLE_WITH_ID),
        body(
            "a lone surrogate",
            call("1", "echo", r#"{"text":"\ud800"}"#),
            &["200 error result", "200 result", "400 error -32700"],
        ),
        none(
            "a notification",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            &["202"],
        ),
        none("an answer to nothing", r#"{"jsonrpc":"2.0","id":9,"result":{}}"#, &["202"]),
        body("a body of 5 MB", large(5_000_000), &["413 error -32000, no id"]),
        body(
            "an argument 5,000 levels deep",
            call("1", "add", &deep),
            &["200 error result", "400 error -32700"],
        ),
        body(
            "bytes that are not UTF-8",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}",
            UNREADABLE_WITH_ID,
        ),
    ]
}

fn heads() -> Vec<Case> {
    let hello = hello("1", "2025-11-25");
    vec![
        head("Content-Type: text/plain", &["content-type: text/plain"], TYPE),
        head("no Content-Type", &["content-type:"], TYPE),
        head(
            "Content-Type: Application/JSON; charset=utf-8",
            &["content-type: Application/JSON; charset=utf-8"],
            RESULT,
        ),
        head("no Accept", &["accept:"], RESULT),
        head("Accept: */*", &["accept: */*"], RESULT),
        head("Accept: application/json", &["accept: application/json"], RESULT),
        head("Accept: text/event-stream", &["accept: text/event-stream"], RESULT),
        head("Accept: text/html", &["accept: text/html"], ACCEPT),
        head("Accept: */*;q=0", &["accept: */*;q=0"], ACCEPT),
        head("Host: evil.example.com", &["host: evil.example.com"], FORBIDDEN),
        head(
            "Host: localhost@evil.example.com",
            &["host: localhost@evil.example.com"],
            &["403 error -32000, no id", "400 error -32000, no id"],
        ),
        head("two Host lines", &["host: localhost\r\nhost: localhost"], HOST),
        head("no Host", &["host:"], HOST),
        head("Origin: http://evil.example.com", &["origin: http://evil.example.com"], FORBIDDEN),
        head(
            "Origin: http://localhost@evil.example.com",
            &["origin: http://localhost@evil.example.com"],
            FORBIDDEN,
        ),
        head("Origin: null", &["origin: null"], FORBIDDEN),
        head(
            "MCP-Protocol-Version: 1999-01-01",
            &["mcp-protocol-version: 1999-01-01"],
            &["400 error -32000, no id", "400 error -32000"],
        ),
        head(
            "no session id",
            &[NONE],
            &["400 error -32000", "400 error -32000, no id", "200 result"],
        ),
        head("an unknown session id", STALE, &["404 error -32000", "404 error -32000, no id"]),
        Case::post("a handshake with an unknown session id", STALE, hello, RESULT),
        bare("GET", "GET /mcp", &["accept: text/event-stream"], STREAM),
        bare(
            "GET without Accept",
            "GET /mcp",
            &["accept:"],
            &["406 error -32000, no id", "405 error -32000, no id", "200 stream"],
        ),
        bare(
            "GET with an unknown Last-Event-ID",
            "GET /mcp",
            &["accept: text/event-stream", "last-event-id: none"],
            &["200 stream", "400 error -32000, no id"],
        ),
        bare(
            "GET with a bad Origin",
            "GET /mcp",
            &["accept: text/event-stream", "origin: null"],
            FORBIDDEN,
        ),
        bare("PUT", "PUT /mcp", &[], METHOD),
        bare("PATCH", "PATCH /mcp", &[], METHOD),
        bare("OPTIONS", "OPTIONS /mcp", &[], METHOD),
        bare("HEAD", "HEAD /mcp", &[], &["405"]),
        body("another path", PING, &["404 error -32000, no id", "404", "404 text"])
            .sent(How::Request { target: "POST /other", headers: &[] }),
    ]
}

/// Requests of 2026-07-28.
fn modern() -> Vec<Case> {
    let of = |method: &str, version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"name":"add","arguments":{{"a":1,"b":2}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        )
    };
    let good = of("tools/call", "2026-07-28");
    let new = |name, headers, right| Case::post(name, headers, &*good, right);
    let other = |name, headers, body: &str, right| Case::post(name, headers, body, right);
    vec![
        new("2026-07-28: a call", &[NONE, NEW, CALL, NAME], RESULT),
        other(
            "2026-07-28: no _meta",
            &[NONE, NEW, CALL, NAME],
            &call("1", "add", r#"{"a":1,"b":2}"#),
            PARAMS,
        ),
        other(
            "2026-07-28: _meta is a list",
            &[NONE, NEW, CALL, NAME],
            &good.replace("\"_meta\":{", "\"_meta\":[],\"x\":{"),
            PARAMS,
        ),
        other(
            "2026-07-28: capabilities are a text",
            &[NONE, NEW, CALL, NAME],
            &good.replace("Capabilities\":{}", "Capabilities\":\"x\""),
            PARAMS,
        ),
        new(
            "2026-07-28: no MCP-Protocol-Version",
            &[NONE, "mcp-protocol-version:", CALL, NAME],
            MISMATCH,
        ),
        new(
            "2026-07-28: another MCP-Protocol-Version",
            &[NONE, "mcp-protocol-version: 2025-11-25", CALL, NAME],
            MISMATCH,
        ),
        other(
            "version 2099-01-01 in both",
            &[NONE, "mcp-protocol-version: 2099-01-01", CALL, NAME],
            &of("tools/call", "2099-01-01"),
            VERSION,
        ),
        new("2026-07-28: no Mcp-Method", &[NONE, NEW, NAME], MISMATCH),
        new(
            "2026-07-28: Mcp-Method twice",
            &[NONE, NEW, "mcp-method: tools/call\r\nmcp-method: tools/call", NAME],
            MISMATCH,
        ),
        new(
            "2026-07-28: another Mcp-Method",
            &[NONE, NEW, "mcp-method: tools/list", NAME],
            MISMATCH,
        ),
        new(
            "2026-07-28: Mcp-Method: TOOLS/CALL",
            &[NONE, NEW, "mcp-method: TOOLS/CALL", NAME],
            MISMATCH,
        ),
        new("2026-07-28: no Mcp-Name", &[NONE, NEW, CALL], MISMATCH),
        new("2026-07-28: another Mcp-Name", &[NONE, NEW, CALL, "mcp-name: sub"], MISMATCH),
        new(
            "2026-07-28: Mcp-Name in base64",
            &[NONE, NEW, CALL, "mcp-name: =?base64?YWRk?="],
            RESULT,
        ),
        new(
            "2026-07-28: Mcp-Name in bad base64",
            &[NONE, NEW, CALL, "mcp-name: =?base64?YWR?="],
            MISMATCH,
        ),
        other(
            "2026-07-28: an unknown method",
            &[NONE, NEW, "mcp-method: no/such"],
            &of("no/such", "2026-07-28"),
            UNKNOWN,
        ),
        other(
            "2026-07-28: initialize",
            &[NONE, NEW, "mcp-method: initialize"],
            &of("initialize", "2026-07-28"),
            UNKNOWN,
        ),
        new("2026-07-28: a session id", &[NEW, CALL, NAME], RESULT),
    ]
}
