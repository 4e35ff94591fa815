use super::case::{Case, How};
use super::lines::{call, hello};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const UNREADABLE: &[&str] = &["400 error -32700, no id"];
const UNREADABLE_WITH_ID: &[&str] = &["400 error -32700", "400 error -32700, no id"];
const NO_REQUEST: &[&str] = &["400 error -32600, no id"];
const REFUSED: &[&str] = &["400 error -32600"];
const RESULT: &[&str] = &["200 result"];
const FORBIDDEN: &[&str] = &["403 error -32000, no id"];
const TYPE: &[&str] = &["415 error -32000, no id"];
const ACCEPT: &[&str] = &["406 error -32000, no id"];
const METHOD: &[&str] = &["405 error -32000, no id"];
const MISMATCH: &[&str] = &["400 error -32020"];
const PARAMS: &[&str] = &["400 error -32602"];
const VERSION: &[&str] = &["400 error -32022"];
const UNKNOWN: &[&str] = &["404 error -32601"];

const NEW: &str = "mcp-protocol-version: 2026-07-28";
const CALL: &str = "mcp-method: tools/call";
const NAME: &str = "mcp-name: add";
const NONE: &str = "mcp-session-id:";
const STALE: &[&str] = &["mcp-session-id: 00000000-0000-0000-0000-000000000000"];

/// A modern request of `add` or of another method.
fn modern(method: &str, version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"name":"add","arguments":{{"a":1,"b":2}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

pub fn cases() -> Vec<Case> {
    let with = |name, method, headers, right| {
        let how = How::Request { method, headers };
        Case { how, ..Case::request(name, &[], "", right) }
    };
    let body = |name, body: &str, right| Case::request(name, &[], body, right);
    let head = |name, headers, right| Case::request(name, headers, PING, right);
    let large = |bytes: usize| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","more":"{}"}}"#, "x".repeat(bytes))
    };
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    let mut cases = vec![
        head(
            "two Host lines",
            &["host: localhost\r\nhost: localhost"],
            &["400 error -32000, no id", "400"],
        ),
        head("no Host", &["host:"], &["400 error -32000, no id", "400"]),
        head("Host: evil.example.com", &["host: evil.example.com"], FORBIDDEN),
        head(
            "Host: localhost@evil.example.com",
            &["host: localhost@evil.example.com"],
            &["403 error -32000, no id", "400 error -32000, no id"],
        ),
        head("Origin: http://evil.example.com", &["origin: http://evil.example.com"], FORBIDDEN),
        head("Origin: null", &["origin: null"], FORBIDDEN),
        head(
            "Origin: http://localhost@evil.example.com",
            &["origin: http://localhost@evil.example.com"],
            FORBIDDEN,
        ),
        with(
            "GET with a bad Origin",
            "GET",
            &["accept: text/event-stream", "origin: null"],
            FORBIDDEN,
        ),
        with("PUT", "PUT", &[], METHOD),
        with("PATCH", "PATCH", &[], METHOD),
        with("OPTIONS", "OPTIONS", &[], METHOD),
        with("HEAD", "HEAD", &[], &["405"]),
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
        body("a body of 5 MB", &large(5_000_000), &["413 error -32000, no id"]),
        body("no body", "", UNREADABLE),
        body("broken JSON", "{", UNREADABLE),
        body(
            "broken JSON with a readable id",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            UNREADABLE_WITH_ID,
        ),
        body("two documents", &format!("{PING}{PING}"), UNREADABLE_WITH_ID),
        Case::request(
            "bytes that are not UTF-8",
            &[],
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}"
                .as_slice(),
            UNREADABLE_WITH_ID,
        ),
        body("a scalar", "1", NO_REQUEST),
        body("a batch", &format!("[{PING}]"), NO_REQUEST),
        body("an empty batch", "[]", NO_REQUEST),
        body("id null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, NO_REQUEST),
        body("id 1.5", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, NO_REQUEST),
        body("id true", r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, NO_REQUEST),
        body("no version", r#"{"id":1,"method":"ping"}"#, REFUSED),
        body("no method", r#"{"jsonrpc":"2.0","id":1}"#, REFUSED),
        body(
            "an unknown method",
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
            &["200 error -32601"],
        ),
        body("an unknown tool", &call("none", "{}"), &["200 error -32602", "400 error -32602"]),
        body(
            "an argument of another type",
            &call("add", r#"{"a":"x","b":1}"#),
            &["200 error result"],
        ),
        body(
            "a lone surrogate",
            &call("echo", r#"{"text":"\ud800"}"#),
            &["200 error result", "200 result", "400 error -32700"],
        ),
        body(
            "an argument 5,000 levels deep",
            &call("add", &deep),
            &["200 error result", "400 error -32700"],
        ),
        body(
            "a notification",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            &["202"],
        ),
        body("an answer to nothing", r#"{"jsonrpc":"2.0","id":9,"result":{}}"#, &["202"]),
        head(
            "MCP-Protocol-Version: 1999-01-01",
            &["mcp-protocol-version: 1999-01-01"],
            &["400 error -32000, no id", "400 error -32000"],
        ),
        head("an unknown session id", STALE, &["404 error -32000", "404 error -32000, no id"]),
        body("a handshake with an unknown session id", "", RESULT),
        with(
            "GET without Accept",
            "GET",
            &["accept:"],
            &["406 error -32000, no id", "405 error -32000, no id", "200 stream"],
        ),
        with(
            "GET with an unknown Last-Event-ID",
            "GET",
            &["accept: text/event-stream", "last-event-id: none"],
            &["200 stream", "400 error -32000, no id"],
        ),
    ];
    for case in &mut cases {
        if case.name == "a handshake with an unknown session id" {
            case.input = hello("2025-11-25").into();
            case.how = How::Request { method: "POST", headers: STALE };
        }
    }
    let good = modern("tools/call", "2026-07-28");
    let new = |name, headers, body: &str, right| Case::request(name, headers, body, right);
    cases.extend([
        new("2026-07-28: a call", &[NONE, NEW, CALL, NAME], &good, RESULT),
        new(
            "2026-07-28: no _meta",
            &[NONE, NEW, CALL, NAME],
            &call("add", r#"{"a":1,"b":2}"#),
            PARAMS,
        ),
        new(
            "2026-07-28: _meta is a list",
            &[NONE, NEW, CALL, NAME],
            &good.replace("\"_meta\":{", "\"_meta\":[],\"x\":{"),
            PARAMS,
        ),
        new(
            "2026-07-28: capabilities are a text",
            &[NONE, NEW, CALL, NAME],
            &good.replace("Capabilities\":{}", "Capabilities\":\"x\""),
            PARAMS,
        ),
        new(
            "2026-07-28: no MCP-Protocol-Version",
            &[NONE, "mcp-protocol-version:", CALL, NAME],
            &good,
            MISMATCH,
        ),
        new(
            "2026-07-28: another MCP-Protocol-Version",
            &[NONE, "mcp-protocol-version: 2025-11-25", CALL, NAME],
            &good,
            MISMATCH,
        ),
        new(
            "2099-01-01 in header and body",
            &[NONE, "mcp-protocol-version: 2099-01-01", CALL, NAME],
            &modern("tools/call", "2099-01-01"),
            VERSION,
        ),
        new("2026-07-28: no Mcp-Method", &[NONE, NEW, NAME], &good, MISMATCH),
        new(
            "2026-07-28: Mcp-Method twice",
            &[NONE, NEW, "mcp-method: tools/call\r\nmcp-method: tools/call", NAME],
            &good,
            MISMATCH,
        ),
        new(
            "2026-07-28: another Mcp-Method",
            &[NONE, NEW, "mcp-method: tools/list", NAME],
            &good,
            MISMATCH,
        ),
        new(
            "2026-07-28: Mcp-Method: TOOLS/CALL",
            &[NONE, NEW, "mcp-method: TOOLS/CALL", NAME],
            &good,
            MISMATCH,
        ),
        new("2026-07-28: no Mcp-Name", &[NONE, NEW, CALL], &good, MISMATCH),
        new("2026-07-28: another Mcp-Name", &[NONE, NEW, CALL, "mcp-name: sub"], &good, MISMATCH),
        new(
            "2026-07-28: Mcp-Name in base64",
            &[NONE, NEW, CALL, "mcp-name: =?base64?YWRk?="],
            &good,
            RESULT,
        ),
        new(
            "2026-07-28: Mcp-Name in bad base64",
            &[NONE, NEW, CALL, "mcp-name: =?base64?YWR?="],
            &good,
            MISMATCH,
        ),
        new(
            "2026-07-28: an unknown method",
            &[NONE, NEW, "mcp-method: no/such"],
            &modern("no/such", "2026-07-28"),
            UNKNOWN,
        ),
        new(
            "2026-07-28: initialize",
            &[NONE, NEW, "mcp-method: initialize"],
            &modern("initialize", "2026-07-28"),
            UNKNOWN,
        ),
        new("2026-07-28: a session id is ignored", &[NEW, CALL, NAME], &good, RESULT),
    ]);
    cases
}
