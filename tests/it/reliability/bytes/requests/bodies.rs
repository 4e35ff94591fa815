use super::super::case::Case;
use super::super::lines::call;
use super::{
    CHUNKED, NO_REQUEST, PARAMS, PING, REFUSED, RESULT, TOOL, UNREADABLE, UNREADABLE_WITH_ID, body,
    none,
};

pub(super) fn bodies() -> Vec<Case> {
    let large = |bytes: usize| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","more":"{}"}}"#, "x".repeat(bytes))
    };
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    let list = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#)
    };
    let completion = r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"y","value":""}}}"#;
    vec![
        body("a ping", PING, RESULT).demanded(),
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
        )
        .demanded(),
        body("an unknown tool", call("1", "no such", "{}"), PARAMS).demanded(),
        body(
            "a list with a cursor that the server did not give",
            list(r#"{"cursor":"no such"}"#),
            PARAMS,
        ),
        body("a cursor that is a number", list(r#"{"cursor":7}"#), PARAMS),
        body("params that are an array", list("[]"), PARAMS),
        body(
            "params that are a string",
            list("\"x\""),
            &["200 error -32602", "400 error -32602", "400 error -32600"],
        ),
        body("a method of a capability that was not offered", completion, &["200 error -32601"])
            .demanded(),
        body("a tool that fails", call("1", "fail", r#"{"message":"no"}"#), TOOL).demanded(),
        body("a tool that panics or throws", call("1", "panic", "{}"), TOOL),
        body("an argument of another type", call("1", "add", r#"{"a":"x","b":1}"#), TOOL)
            .demanded(),
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
        )
        .demanded(),
        none("an answer to nothing", r#"{"jsonrpc":"2.0","id":9,"result":{}}"#, &["202"]),
        body("a body of 5 MB", large(5_000_000), &["413 error -32000, no id"]),
        body("a chunked body", PING, RESULT).sent(CHUNKED).demanded(),
        body("a chunked body of 5 MB", large(5_000_000), &["413 error -32000, no id"])
            .sent(CHUNKED),
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
