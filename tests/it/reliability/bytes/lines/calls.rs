use super::super::case::Case;
use super::{ANSWERED, PARAMS, RESULT, SILENT, TOOL, UNKNOWN, call, line, nested, none};

/// What MCP makes of a message.
pub(super) fn calls() -> Vec<Case> {
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
        line("a call without params", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, PARAMS)
            .demanded(),
        line(
            "a call without a name",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
            PARAMS,
        )
        .demanded(),
        line("arguments that are an array", call("1", "add", "[1]"), PARAMS).demanded(),
        line("an unknown method", r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, UNKNOWN)
            .demanded(),
        line("an unknown tool", call("1", "no such", "{}"), PARAMS).demanded(),
        line("an argument of another type", call("1", "add", r#"{"a":"x","b":1}"#), TOOL)
            .demanded(),
        line(
            "an unknown argument",
            call("1", "add", r#"{"a":1,"b":1,"c":1}"#),
            &["error result", "result"],
        ),
        line(
            "a call with a progress token",
            call("1", "add", r#"{"a":1,"b":2},"_meta":{"progressToken":"token"}"#),
            RESULT,
        )
        .demanded(),
        line("a lone surrogate", call("1", "echo", r#"{"text":"\ud800"}"#), ANSWERED),
        line("1e400", call("1", "add", r#"{"a":1e400,"b":1}"#), ANSWERED),
        line("an argument 200 levels deep", nested(200), ANSWERED),
        line("an argument 5,000 levels deep", nested(5_000), ANSWERED),
        line("an argument a million levels deep", nested(1_000_000), ANSWERED),
        none(
            "a notification that is shaped like a call",
            call("1", "add", r#"{"a":1,"b":2}"#).replace(r#""id":1,"#, ""),
            SILENT,
        )
        .demanded(),
        none("an answer to nothing", r#"{"jsonrpc":"2.0","id":99,"result":{}}"#, SILENT).demanded(),
        none(
            "an error that answers nothing",
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}"#,
            SILENT,
        )
        .demanded(),
        none(
            "a cancellation of nothing",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
            SILENT,
        )
        .demanded(),
    ]
}
