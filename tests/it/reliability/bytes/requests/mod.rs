mod bodies;
mod heads;
mod modern;
mod tokens;

use super::case::{Case, How};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const UNREADABLE: &[&str] = &["400 error -32700, no id"];
const UNREADABLE_WITH_ID: &[&str] = &["400 error -32700", "400 error -32700, no id"];
const NO_REQUEST: &[&str] = &["400 error -32600, no id"];
const REFUSED: &[&str] = &["400 error -32600"];
const RESULT: &[&str] = &["200 result"];
const TOOL: &[&str] = &["200 error result"];
const FORBIDDEN: &[&str] = &["403 error -32000, no id"];
/// What the body says is free.
const ORIGIN: &[&str] = &["403*"];
const HOST: &[&str] = &["400*"];
const TYPE: &[&str] = &["415 error -32000, no id"];
const ACCEPT: &[&str] = &["406 error -32000, no id"];
const METHOD: &[&str] = &["405 error -32000, no id"];
const STREAM: &[&str] = &["200 stream", "405*"];
const MISMATCH: &[&str] = &["400 error -32020"];
/// The specification names the error and not the status.
const PARAMS: &[&str] = &["200 error -32602", "400 error -32602"];
const INVALID: &[&str] = &["400 error -32602"];
const VERSION: &[&str] = &["400 error -32022"];
const UNKNOWN: &[&str] = &["404 error -32601"];
const INCAPABLE: &[&str] = &["400 error -32021"];
/// What the body says is free, but HTTP demands the header `WWW-Authenticate`.
const UNAUTHORIZED: &[&str] = &["401 challenge*"];

const NEW: &str = "mcp-protocol-version: 2026-07-28";
const CALL: &str = "mcp-method: tools/call";
const NAME: &str = "mcp-name: add";
const REGION: &str = "mcp-name: test_custom_header";
const ASKING: &str = "mcp-name: test_input_required_result_elicitation";
const NONE: &str = "mcp-session-id:";
const STALE: &[&str] = &["mcp-session-id: 00000000-0000-0000-0000-000000000000"];

const CHUNKED: How = How::Request { target: "POST /mcp", headers: &["transfer-encoding: chunked"] };

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
    let all = [bodies::bodies(), heads::heads(), modern::modern(), tokens::tokens()];
    all.into_iter().flatten().collect()
}
