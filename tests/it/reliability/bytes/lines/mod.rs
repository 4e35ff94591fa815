mod messages;
mod calls;
mod moments;

use super::case::{Case, How};

const SILENT: &[&str] = &["nothing"];
const RESULT: &[&str] = &["result"];
const UNREADABLE: &[&str] = &["error -32700"];
const REFUSED: &[&str] = &["error -32600"];
/// What has no usable id is refused without one, or not answered.
const NO_ID: &[&str] = &["error -32600, no id", "nothing"];
const PARAMS: &[&str] = &["error -32602"];
const UNKNOWN: &[&str] = &["error -32601"];
const TOOL: &[&str] = &["error result"];
/// A value that cannot be taken must be answered all the same.
const ANSWERED: &[&str] = &["error result", "error -32602", "error -32700", "result"];
/// A call before the answer to the handshake may be refused.
const SERVED: &[&str] = &["result, result", "error -32600, result", "error -32602, result"];
/// More than some servers read.
const LONG: &[&str] = &["result", "error -32600"];

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const MODERN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const CANCELLED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;

const UNBEGUN: How = How::Lines(None);
const BATCHES: How = How::Lines(Some("2025-03-26"));
const ENDING: How = How::End(Some("2025-11-25"));

/// The first line of a session.
pub(super) fn hello(id: &str, version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"hostile","version":"1"}}}}}}"#
    )
}

pub(crate) fn call(id: &str, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

fn ping(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn sleep(id: &str, ms: u32) -> String {
    call(id, "sleep_ms", &format!(r#"{{"ms":{ms}}}"#))
}

fn nested(depth: usize) -> String {
    call("1", "add", &format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth)))
}

fn long(id: &str, bytes: usize) -> String {
    call(id, "echo", &format!(r#"{{"text":"{}"}}"#, "x".repeat(bytes)))
}

fn line(name: &'static str, bytes: impl Into<Vec<u8>>, right: &'static [&'static str]) -> Case {
    Case::line(name, bytes, right)
}

/// A line with one request whose id cannot be used, or with none.
fn none(name: &'static str, bytes: impl Into<Vec<u8>>, right: &'static [&'static str]) -> Case {
    line(name, bytes, right).ids([""; 0])
}

/// A ping with another id.
fn id(name: &'static str, id: &str, right: &'static [&'static str]) -> Case {
    line(name, ping(id), right).ids([id])
}

pub(crate) fn lines() -> Vec<Case> {
    [messages::messages(), calls::calls(), moments::moments()].into_iter().flatten().collect()
}
