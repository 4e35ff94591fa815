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
/// More than some servers read.
const LONG: &[&str] = &["result", "error -32600"];

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const MODERN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
const CANCELLED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;

const UNBEGUN: How = How::Lines(None);
const BATCHES: How = How::Lines(Some("2025-03-26"));

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

fn long(bytes: usize) -> String {
    call("1", "echo", &format!(r#"{{"text":"{}"}}"#, "x".repeat(bytes)))
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
    [messages(), calls(), moments()].into_iter().flatten().collect()
}

/// What JSON and JSON-RPC make of a line.
fn messages() -> Vec<Case> {
    let two = format!("[{PING},{}]", ping("2"));
    vec![
        none("broken JSON", r#"{"jsonrpc":"2.0","meth"#, &["nothing", "error -32700, no id"]),
        line(
            "broken JSON, its id is readable",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            UNREADABLE,
        ),
        line(
            "bytes that are not UTF-8",
            [br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":""#.as_slice(), b"\xff\"}}"]
                .concat(),
            UNREADABLE,
        ),
        line("a zero byte", [PING.as_bytes(), b"\0"].concat(), UNREADABLE),
        line(
            "a byte order mark",
            format!("\u{feff}{PING}"),
            &["nothing", "result", "error -32700"],
        ),
        line("a byte order mark first", format!("\u{feff}{PING}"), RESULT).sent(UNBEGUN),
        none("an empty line", "", SILENT),
        none("spaces", " \t ", SILENT),
        line("CRLF", format!("{PING}\r"), RESULT),
        line("blank lines, then a ping", format!("\r\n  \n\t\r\n{PING}"), RESULT),
        none("a scalar", "1", NO_ID),
        none("null", "null", NO_ID),
        none("a string", "\"ping\"", NO_ID),
        line("a batch", &*two, NO_ID).ids(["1", "2"]),
        none("an empty batch", "[]", NO_ID),
        none("a batch of numbers", "[1,2]", NO_ID),
        line("a batch in 2025-03-26", two, &["[result, result]"]).ids(["1", "2"]).sent(BATCHES),
        none(
            "a batch of notifications in 2025-03-26",
            r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
            SILENT,
        )
        .sent(BATCHES),
        none(
            "a batch of numbers in 2025-03-26",
            "[1,2]",
            &["[error -32600, no id, error -32600, no id]"],
        )
        .sent(BATCHES),
        none("id null", ping("null"), NO_ID),
        none("id 1.5", ping("1.5"), NO_ID),
        none("id true", ping("true"), NO_ID),
        none("id {}", ping("{}"), NO_ID),
        // Many clients read both as the same number.
        id("id 1.0", "1.0", &["result", "result, the id written anew"]),
        id("id 0", "0", RESULT),
        id("id -7", "-7", RESULT),
        id("an empty id", "\"\"", RESULT),
        id("id 2^53 + 1", "9007199254740993", RESULT),
        id("an id of 23 digits", "12345678901234567890123", RESULT),
        id("an id of 60 KiB", &format!("\"{}\"", "x".repeat(60 * 1024)), RESULT),
        line("no version", r#"{"id":1,"method":"ping"}"#, REFUSED),
        line("another version", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, REFUSED),
        line("no method", r#"{"jsonrpc":"2.0","id":1}"#, REFUSED),
        line("a method that is a number", r#"{"jsonrpc":"2.0","id":1,"method":7}"#, REFUSED),
        line(
            "a member more",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","more":[{"id":2}]}"#,
            RESULT,
        ),
        line(
            "two ids: the last counts",
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            &["result", "error -32600"],
        )
        .ids(["2"]),
        line(
            "two messages on a line",
            format!("{PING}{}", ping("2")),
            &["error -32700", "nothing"],
        ),
    ]
}

/// What MCP makes of a message.
fn calls() -> Vec<Case> {
    vec![
        line(
            "params that are an array",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
            PARAMS,
        ),
        line(
            "params that are null",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#,
            RESULT,
        ),
        line("a call without params", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, PARAMS),
        line(
            "a call without a name",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
            PARAMS,
        ),
        line("arguments that are an array", call("1", "add", "[1]"), PARAMS),
        line("an unknown method", r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, UNKNOWN),
        line("an unknown tool", call("1", "no such", "{}"), PARAMS),
        line("an argument of another type", call("1", "add", r#"{"a":"x","b":1}"#), TOOL),
        line(
            "an unknown argument",
            call("1", "add", r#"{"a":1,"b":1,"c":1}"#),
            &["error result", "result"],
        ),
        line("a lone surrogate", call("1", "echo", r#"{"text":"\ud800"}"#), ANSWERED),
        line("1e400", call("1", "add", r#"{"a":1e400,"b":1}"#), ANSWERED),
        line("an argument 200 levels deep", nested(200), ANSWERED),
        line("an argument 5,000 levels deep", nested(5_000), ANSWERED),
        line("an argument a million levels deep", nested(1_000_000), ANSWERED),
        none(
            "a notification that is shaped like a call",
            call("1", "add", r#"{"a":1,"b":2}"#).replace(r#""id":1,"#, ""),
            SILENT,
        ),
        none("an answer to nothing", r#"{"jsonrpc":"2.0","id":99,"result":{}}"#, SILENT),
        none(
            "an error that answers nothing",
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}"#,
            SILENT,
        ),
        none(
            "a cancellation of nothing",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
            SILENT,
        ),
    ]
}

/// What depends on what came before, and on what runs.
fn moments() -> Vec<Case> {
    let many = 0..1_000;
    let thousand: Vec<_> =
        many.clone().map(|id| call(&id.to_string(), "add", r#"{"a":1,"b":2}"#)).collect();
    vec![
        line("a second handshake", hello("1", "2025-11-25"), RESULT),
        line("a ping before the handshake", PING, RESULT).sent(UNBEGUN),
        line(
            "a list before the handshake",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            &["result", "error -32600", "error -32602"],
        )
        .sent(UNBEGUN),
        line("a modern call without a handshake", MODERN, RESULT).sent(UNBEGUN),
        line(
            "two calls with one id",
            format!("{}\n{}", sleep("1", 50), sleep("1", 50)),
            &["error -32600, result", "result, result"],
        )
        .ids(["1", "1"]),
        // The second call ends behind the first, so that an answer to that would come before.
        line(
            "a call and its cancellation, and a longer call",
            [&*sleep("1", 100), CANCELLED, &*sleep("2", 200)].join("\n"),
            RESULT,
        )
        .ids(["2"]),
        line("1,000 calls at once", thousand.join("\n"), &["1000 times result"])
            .ids(many.map(|id| id.to_string())),
        line("a line of 12 MB", long(12_000_000), LONG).long(),
        line("a line of 70 MB", long(70_000_000), LONG).long(),
        line("a last line without its end", PING, RESULT).sent(How::End),
        line(
            "the end of input during a call",
            sleep("1", 60_000) + "\n",
            &["nothing", "error result", "error -32603", "error -32000"],
        )
        .sent(How::End),
    ]
}
