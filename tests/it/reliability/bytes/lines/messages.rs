use super::super::case::Case;
use super::{
    BATCHES, NO_ID, PING, REFUSED, RESULT, SILENT, UNBEGUN, UNREADABLE, id, line, none, ping,
};

/// What JSON and JSON-RPC make of a line.
pub(super) fn messages() -> Vec<Case> {
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
        line("CRLF", format!("{PING}\r"), RESULT).demanded(),
        line("blank lines, then a ping", format!("\r\n  \n\t\r\n{PING}"), RESULT),
        none("a scalar", "1", NO_ID),
        none("null", "null", NO_ID),
        none("a string", "\"ping\"", NO_ID),
        line("a batch", &*two, NO_ID).ids(["1", "2"]),
        none("an empty batch", "[]", NO_ID),
        none("a batch of numbers", "[1,2]", NO_ID),
        line("a batch in 2025-03-26", two, &["[result, result]"])
            .demanded()
            .ids(["1", "2"])
            .sent(BATCHES),
        none(
            "a batch of notifications in 2025-03-26",
            r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
            SILENT,
        )
        .demanded()
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
        id("id 0", "0", RESULT).demanded(),
        id("id -7", "-7", RESULT).demanded(),
        id("an empty id", "\"\"", RESULT).demanded(),
        id("id 2^53 + 1", "9007199254740993", RESULT).demanded(),
        id("an id of 23 digits", "12345678901234567890123", RESULT).demanded(),
        id("an id of 60 KiB", &format!("\"{}\"", "x".repeat(60 * 1024)), RESULT).demanded(),
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
