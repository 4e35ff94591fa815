//! The edge cases of JSON-RPC and MCP, each with what this server has decided. After each of them
//! the next request is answered.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright::testing::{Direction, TestClient};

use super::{connect, fixture};

/// What the server says to a line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Says {
    /// Nothing: the line has no request that could be answered.
    Nothing,
    /// An error with this id, which is JSON text, and this code.
    Error(&'static str, i64),
    /// An error without an id.
    Refusal(i64),
    /// A result with this id.
    Result(&'static str),
    /// An error result of a tool, which the model reads.
    ToolError(&'static str),
}

use Says::{Error, Nothing, Refusal, ToolError};

/// Lines of a session of 2025-11-25.
pub(crate) const ROWS: &[(&str, &str, Says)] = &[
    ("broken JSON", r#"{"jsonrpc":"2.0","meth"#, Nothing),
    (
        "broken JSON, its id is readable",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
        Error("1", -32700),
    ),
    ("an empty line", "", Nothing),
    ("spaces", " \t ", Nothing),
    ("CRLF", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", Says::Result("1")),
    ("a scalar", "1", Nothing),
    ("null", "null", Nothing),
    ("a string", "\"ping\"", Nothing),
    (
        "a batch",
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
        Refusal(-32600),
    ),
    ("an empty batch", "[]", Refusal(-32600)),
    ("a batch of numbers", "[1,2]", Refusal(-32600)),
    ("id null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Refusal(-32600)),
    ("id 1.5", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Refusal(-32600)),
    ("id true", r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, Refusal(-32600)),
    ("id {}", r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Refusal(-32600)),
    ("id 1.0", r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#, Says::Result("1.0")),
    ("id 0", r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#, Says::Result("0")),
    ("id -7", r#"{"jsonrpc":"2.0","id":-7,"method":"ping"}"#, Says::Result("-7")),
    ("an empty id", r#"{"jsonrpc":"2.0","id":"","method":"ping"}"#, Says::Result("\"\"")),
    (
        "id 2^53 + 1",
        r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#,
        Says::Result("9007199254740993"),
    ),
    (
        "a long id",
        r#"{"jsonrpc":"2.0","id":12345678901234567890123,"method":"ping"}"#,
        Says::Result("12345678901234567890123"),
    ),
    ("no version", r#"{"id":1,"method":"ping"}"#, Error("1", -32600)),
    ("another version", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, Error("1", -32600)),
    ("no method", r#"{"jsonrpc":"2.0","id":1}"#, Error("1", -32600)),
    ("a method that is a number", r#"{"jsonrpc":"2.0","id":1,"method":7}"#, Error("1", -32600)),
    (
        "params that are an array",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
        Error("1", -32602),
    ),
    (
        "params that are null",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#,
        Says::Result("1"),
    ),
    (
        "a call without params",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
        Error("1", -32602),
    ),
    (
        "a call without a name",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
        Error("1", -32602),
    ),
    (
        "arguments that are an array",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":[1]}}"#,
        Error("1", -32602),
    ),
    (
        "a member more",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","more":[{"id":2}]}"#,
        Says::Result("1"),
    ),
    (
        "two ids: the last counts",
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        Says::Result("2"),
    ),
    // The first message may not be the only one that was meant, so it is not answered as if.
    (
        "two messages on a line",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        Error("1", -32700),
    ),
    (
        "an unknown tool",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no such"}}"#,
        Error("1", -32602),
    ),
    (
        "an argument of another type",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":"x","b":1}}}"#,
        ToolError("- /a: expected number"),
    ),
    (
        "an unknown argument",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":1,"c":1}}}"#,
        ToolError("- /c"),
    ),
    (
        "a lone surrogate",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\ud800"}}}"#,
        ToolError("/text"),
    ),
    (
        "1e400",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1e400,"b":1}}}"#,
        ToolError("/a"),
    ),
    (
        "a notification that is shaped like a call",
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}"#,
        Nothing,
    ),
    ("an unknown method", r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, Error("1", -32601)),
    ("an answer to nothing", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Nothing),
    (
        "an error that answers nothing",
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}"#,
        Nothing,
    ),
];

/// A client of that revision.
fn connect_with(version: &str) -> TestClient {
    let mut client = TestClient::spawn(&mut fixture()).unwrap();
    let settled = client.request("initialize", json!({"protocolVersion": version})).unwrap();
    assert_eq!(settled["result"]["protocolVersion"], version);
    client
}

/// Sends a line and a ping, and compares what comes before the answer to the ping.
fn check(mut client: TestClient, name: &str, line: &str, says: Says) -> TestClient {
    let heard = Arc::<Mutex<Vec<String>>>::default();
    let lines = heard.clone();
    client = client.watch(move |direction, line| {
        if direction == Direction::ToClient {
            lines.lock().unwrap().push(line.to_owned());
        }
    });
    client.send_line(line).unwrap();
    client.send_line(r#"{"jsonrpc":"2.0","id":"ping","method":"ping"}"#).unwrap();
    let mut said: Vec<Value> = Vec::new();
    // Calls are answered in place here, so before the next line.
    while said.last().is_none_or(|message| message["id"] != "ping") {
        said.push(client.receive().unwrap().unwrap());
    }
    said.pop();
    let error = |id: Value, code: i64| {
        let [message] = &said[..] else { panic!("{name}: {said:?}") };
        assert_eq!(
            (message.get("id"), &message["error"]["code"]),
            (id_of(&id), &json!(code)),
            "{name}: {message}"
        );
    };
    let result = |id: &str| {
        let [message] = &said[..] else { panic!("{name}: {said:?}") };
        // A `Value` would round a long number.
        let begin = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
        let line = heard.lock().unwrap().first().cloned().unwrap_or_default();
        assert!(line.starts_with(&begin), "{name}: {line}");
        message["result"].clone()
    };
    match says {
        Nothing => assert!(said.is_empty(), "{name}: {said:?}"),
        Refusal(code) => error(Value::Null, code),
        Error(id, code) => error(id.parse().unwrap(), code),
        Says::Result(id) => assert!(result(id).get("isError").is_none(), "{name}"),
        ToolError(part) => {
            let result = result("1");
            assert_eq!(result["isError"], true, "{name}: {result}");
            let text = super::text(&result);
            assert!(text.contains(part), "{name}: {text}");
        }
    }
    client
}

/// The id of a message that must have this one; none if it is null.
fn id_of(id: &Value) -> Option<&Value> {
    Some(id).filter(|id| !id.is_null())
}

#[test]
fn every_line_is_answered_as_it_was_decided() {
    let mut client = connect();
    for (name, line, says) in ROWS {
        client = check(client, name, line, *says);
    }
    assert!(client.close().unwrap().success());
}

/// The schemas of these revisions demand an id in every error.
#[test]
fn older_revisions_have_no_errors_without_an_id() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let mut client = connect_with(version);
        for (name, line, says) in ROWS {
            let says = match says {
                Refusal(_) if version == "2025-03-26" && line.starts_with('[') => continue,
                Refusal(_) => Nothing,
                says => *says,
            };
            client = check(client, name, line, says);
        }
        assert!(client.close().unwrap().success());
    }
}

#[test]
fn batches_of_2025_03_26_are_answered_as_it_was_decided() {
    let mut client = connect_with("2025-03-26");
    let error = json!({"code": -32600, "message": "Invalid request: a message must be an object"});
    let refusal = json!({"jsonrpc": "2.0", "error": error});
    let pong = |id: u64| json!({"jsonrpc": "2.0", "id": id, "result": {}});
    let rows = [
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
            json!([pong(1), pong(2)]),
        ),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]"#,
            json!([pong(1)]),
        ),
        ("[1,2]", json!([refusal, refusal])),
    ];
    for (line, answer) in rows {
        client.send_line(line).unwrap();
        assert_eq!(client.receive().unwrap().unwrap(), answer, "{line}");
    }
    client = check(client, "an empty batch", "[]", Refusal(-32600));
    client = check(client, "only notifications", r#"[{"jsonrpc":"2.0","method":"x"}]"#, Nothing);
    client = check(client, "only answers", r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, Nothing);
    client =
        check(client, "a broken batch", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},]"#, Nothing);
    assert!(client.close().unwrap().success());
}

/// Rows whose lines cannot be written down, or are no text.
#[test]
fn bytes_nesting_and_byte_order_marks_are_answered() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let mut ask = |line: &[u8]| -> Value {
        // In two writes.
        let (begin, rest) = line.split_at(line.len() / 2);
        input.write_all(begin).unwrap();
        input.flush().unwrap();
        input.write_all(rest).unwrap();
        input.write_all(b"\n").unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")["id"], 1);
    let no_text =
        ask(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}");
    assert_eq!((&no_text["id"], &no_text["error"]["code"]), (&json!(2), &json!(-32700)));
    for depth in [100, 200, 5_000] {
        let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        for place in
            ["\"params\":{\"name\":\"add\",\"arguments\":{\"a\":NESTED}}", "\"more\":NESTED"]
        {
            let place = place.replace("NESTED", &nested);
            let line = format!(r#"{{"jsonrpc":"2.0","id":{depth},"method":"tools/call",{place}}}"#);
            assert_eq!(ask(line.as_bytes())["id"], depth);
        }
    }
    for bytes in [12_000_000, 20_000_000] {
        let text = "x".repeat(bytes);
        let call = format!(r#"{{"name":"echo","arguments":{{"text":"{text}"}}}}"#);
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":{bytes},"method":"tools/call","params":{call}}}"#);
        let answer = ask(line.as_bytes());
        assert_eq!(answer["result"]["content"][0]["text"].as_str().unwrap().len(), bytes);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// MCP forbids such an id; the first call keeps it.
#[test]
fn an_id_that_is_in_use_is_refused() {
    let mut client = connect();
    let call = |id: &str, ms: u64| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "sleep_ms", "arguments": {"ms": ms}}}).to_string()
    };
    client.send_line(&call("twice", 600_000)).unwrap();
    client.send_line(&call("twice", 1)).unwrap();
    assert_eq!(client.receive().unwrap().unwrap()["error"]["code"], -32600);
    assert_eq!(client.request("ping", json!({})).unwrap()["result"], json!({}));
    client.notify("notifications/cancelled", json!({"requestId": "twice"})).unwrap();
    client.send_line(&call("twice", 1)).unwrap();
    assert_eq!(super::text(&client.receive().unwrap().unwrap()["result"]), "ok");
    assert!(client.close().unwrap().success());
}
