use super::case::{Case, How};

const MIB: usize = 1024 * 1024;

const SILENT: &[&str] = &["nothing"];
const RESULT: &[&str] = &["result"];
const UNREADABLE: &[&str] = &["error -32700"];
const REFUSED: &[&str] = &["error -32600"];
/// What has no usable id is refused without one, or not answered.
const NO_ID: &[&str] = &["error -32600, no id", "nothing"];
const PARAMS: &[&str] = &["error -32602"];
const TOOL: &[&str] = &["error result"];
/// A value that cannot be taken must be answered all the same.
const ANSWERED: &[&str] = &["error result", "error -32602", "error -32700", "result"];

pub fn call(tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

fn nested(depth: usize) -> String {
    call("add", &format!(r#"{{"a":{}{},"b":1}}"#, "[".repeat(depth), "]".repeat(depth)))
}

fn long(bytes: usize) -> String {
    call("echo", &format!(r#"{{"text":"{}"}}"#, "x".repeat(bytes)))
}

/// A ping with another id.
fn id(text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{text},"method":"ping"}}"#)
}

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

fn line(name: &'static str, input: impl Into<Vec<u8>>, right: &'static [&'static str]) -> Case {
    Case::line(name, input, right)
}

pub fn cases() -> Vec<Case> {
    let modern = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let slow = call("sleep_ms", r#"{"ms":100}"#);
    let with = |name, how, input: String, right| Case { how, ..Case::line(name, input, right) };
    let batches = || How::Lines(Some("2025-03-26"));
    let two = |first: &str| format!("[{first},{}]", id("2"));
    vec![
        line("broken JSON", "{", &["nothing", "error -32700, no id"]),
        line(
            "broken JSON with a readable id",
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
        line("blank lines and CRLF", format!("\r\n  \n\t\r\n{PING}\r"), RESULT),
        with("a byte order mark first", How::Lines(None), format!("\u{feff}{PING}"), RESULT),
        line("a scalar", "7", NO_ID),
        line("null", "null", NO_ID),
        line("a string", "\"x\"", NO_ID),
        line("a batch", two(PING), NO_ID),
        with("a batch in 2025-03-26", batches(), two(PING), &["array of 2"]),
        with(
            "a batch of notifications in 2025-03-26",
            batches(),
            r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#.to_owned(),
            SILENT,
        ),
        with("a batch of numbers in 2025-03-26", batches(), "[1,2]".to_owned(), &["array of 2"]),
        line("an empty batch", "[]", NO_ID),
        line("id null", id("null"), NO_ID),
        line("id 1.5", id("1.5"), NO_ID),
        line("id true", id("true"), NO_ID),
        line("id {}", id("{}"), NO_ID),
        line("id 1.0", id("1.0"), RESULT),
        line("id 0", id("0"), RESULT),
        line("id -7", id("-7"), RESULT),
        line("an empty id", id("\"\""), RESULT),
        line("id 2^53 + 1", id("9007199254740993"), RESULT),
        line("an id of 23 digits", id("12345678901234567890123"), RESULT),
        line("an id of 60 KiB", id(&format!("\"{}\"", "x".repeat(60 * 1024))), RESULT),
        line("no version", r#"{"id":1,"method":"ping"}"#, REFUSED),
        line("another version", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, REFUSED),
        line("no method", r#"{"jsonrpc":"2.0","id":1}"#, REFUSED),
        line("a method that is a number", r#"{"jsonrpc":"2.0","id":1,"method":7}"#, REFUSED),
        line(
            "params that are an array",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
            PARAMS,
        ),
        line(
            "params that are null",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#,
            RESULT,
        ),
        line("a call without params", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, PARAMS),
        line(
            "a call without a name",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
            PARAMS,
        ),
        line("arguments that are an array", call("add", "[]"), PARAMS),
        line(
            "a member more",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","more":{"id":2}}"#,
            RESULT,
        ),
        line(
            "two ids",
            r#"{"jsonrpc":"2.0","id":2,"id":1,"method":"ping"}"#,
            &["result", "error -32600"],
        ),
        line("two messages on a line", format!("{PING}{PING}"), &["error -32700", "nothing"]),
        line(
            "an unknown method",
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
            &["error -32601"],
        ),
        line("an unknown tool", call("none", "{}"), PARAMS),
        line("an argument of another type", call("add", r#"{"a":"x","b":1}"#), TOOL),
        line("a lone surrogate", call("echo", r#"{"text":"\ud800"}"#), ANSWERED),
        line("1e400", call("add", r#"{"a":1e400,"b":1}"#), ANSWERED),
        line("an argument 200 levels deep", nested(200), ANSWERED),
        line("an argument 5,000 levels deep", nested(5_000), ANSWERED),
        line("an argument a million levels deep", nested(1_000_000), ANSWERED),
        line(
            "a notification that is shaped like a call",
            call("add", "{}").replace(r#""id":1,"#, ""),
            SILENT,
        ),
        line("an answer to nothing", r#"{"jsonrpc":"2.0","id":99,"result":{}}"#, SILENT),
        line(
            "an error that answers nothing",
            r#"{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}"#,
            SILENT,
        ),
        line(
            "a cancellation of nothing",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
            SILENT,
        ),
        line(
            "two calls with one id",
            format!("{slow}\n{slow}"),
            &["error -32600, result", "result, result"],
        ),
        line(
            "a call and its cancellation",
            format!(
                "{slow}\n{}",
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
            ),
            SILENT,
        ),
        line("a second handshake", hello("2025-11-25").replace("\"hello\"", "1"), RESULT),
        with("a ping before the handshake", How::Lines(None), PING.to_owned(), RESULT),
        with("a modern call without a handshake", How::Lines(None), modern.to_owned(), RESULT),
        line("1,000 calls at once", calls(1_000), &["1000 results"]),
        line("a line of 12 MiB", long(12 * MIB), &["result", "error -32600"]).slow(),
        line("a line of 100 MiB", long(100 * MIB), &["result", "error -32600"]).slow(),
        with("a last line without its end", How::End, PING.to_owned(), RESULT),
        with(
            "the end of input during a call",
            How::End,
            call("sleep_ms", r#"{"ms":60000}"#) + "\n",
            &["nothing", "error result", "error -32603", "error -32000"],
        ),
    ]
}

fn calls(count: usize) -> String {
    let call =
        |at: usize| call("add", r#"{"a":1,"b":2}"#).replace("\"id\":1", &format!("\"id\":{at}"));
    (0..count).map(call).collect::<Vec<_>>().join("\n")
}

/// The first line of a session.
pub fn hello(version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"lab","version":"1"}}}}}}"#
    )
}
