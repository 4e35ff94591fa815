use super::super::case::{Case, How};
use super::{
    CANCELLED, ENDING, LONG, MODERN, PING, READY, RESULT, SERVED, SILENT, UNBEGUN, call, hello,
    line, long, none, ping, sleep,
};

/// What depends on what came before, and on what runs.
pub(super) fn moments() -> Vec<Case> {
    let many = 0..1_000;
    let thousand: Vec<_> =
        many.clone().map(|id| call(&id.to_string(), "add", r#"{"a":1,"b":2}"#)).collect();
    let large: Vec<_> = (0..32).map(|id| long(&id.to_string(), 64 * 1024)).collect();
    let said = call("1", "echo", r#"{"text":"…"}"#);
    let (hello, call) = (hello("1", "2025-11-25"), call("2", "add", r#"{"a":1,"b":2}"#));
    vec![
        line("a second handshake", &*hello, RESULT),
        line("a ping before the handshake", PING, RESULT).demanded().sent(UNBEGUN),
        line(
            "a list before the handshake",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            &["result", "error -32600", "error -32602"],
        )
        .sent(UNBEGUN),
        line("a modern call without a handshake", MODERN, RESULT).demanded().sent(UNBEGUN),
        line("a handshake and a call at once", [&*hello, READY, &call].join("\n"), SERVED)
            .ids(["1", "2"])
            .sent(UNBEGUN),
        line(
            "a handshake and a call at once, without the notification",
            [&*hello, &call].join("\n"),
            SERVED,
        )
        .ids(["1", "2"])
        .sent(UNBEGUN),
        line("a message byte by byte", said, RESULT).sent(How::Bytewise).demanded(),
        // It takes longer than the ping is waited for. The cancellation keeps its answer away from
        // the next cases.
        line(
            "a ping during a slow call",
            [&*sleep("1", 15_500), &ping("2"), CANCELLED].join("\n"),
            RESULT,
        )
        .ids(["2"])
        .demanded(),
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
        .demanded()
        .ids(["2"]),
        line("1,000 calls at once", thousand.join("\n"), &["1000 times result"])
            .demanded()
            .ids(many.map(|id| id.to_string())),
        line(
            "32 calls with 64 KiB each, written before anything is read",
            large.join("\n"),
            &["32 times result"],
        )
        .ids((0..32).map(|id| id.to_string()))
        .sent(How::WrittenFirst),
        line("a line of 12 MB", long("1", 12_000_000), LONG).long(),
        line("a line of 70 MB", long("1", 70_000_000), LONG).long(),
        line("a last line without its end", PING, RESULT).sent(ENDING),
        none("no input", "", SILENT).sent(How::End(None)).demanded(),
        line(
            "the end of input during a call",
            sleep("1", 60_000) + "\n",
            &["nothing", "error result", "error -32603", "error -32000"],
        )
        .sent(ENDING),
        none("output that nobody reads", hello + "\n", SILENT).sent(How::Unheard),
        none("SIGTERM", "", SILENT).sent(How::Sigterm),
    ]
}
