//! Layers around the tools of a program.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use toolwright::testing::TestClient;

use super::{fixture, rest, text};

const TIMED_OUT: &str = "The tool `quick_timeout` was stopped: it did not finish within 50ms.";

/// A client of the fixture with its layers.
fn connect() -> TestClient {
    let mut client = TestClient::spawn(fixture().arg("--layers")).unwrap();
    client.initialize().unwrap();
    client
}

/// What the fixture with its layers says to these calls, as it ends: on standard output the
/// answers, on standard error what it logs.
fn answered(calls: &[(&str, Value)]) -> (Vec<Value>, String) {
    let mut command = fixture();
    command.arg("--layers").env("RUST_LOG", "info");
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child: Child = piped.spawn().unwrap();
    let lines = calls.iter().zip(1..).map(|((name, arguments), id)| {
        let params = json!({"name": name, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    });
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, (lines.collect::<Vec<_>>().join("\n") + "\n").as_bytes())
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let answers = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let answers = answers.map(|line| serde_json::from_slice(line).unwrap()).collect();
    (answers, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_layer_answers_itself() {
    let mut client = connect();
    // The tool would refuse these arguments.
    let result = client.call_tool("add", json!({"please": "answer yourself"})).unwrap();
    assert_eq!(text(&result), "a layer has answered");
    assert_eq!(text(&client.call_tool("add", json!({"a": 1, "b": 2})).unwrap()), "3");
    let refused = client.call_tool("add", json!({"a": 1})).unwrap();
    assert_eq!(refused["isError"], true);
    assert!(text(&refused).contains("- /b: missing"), "{refused}");
    assert!(client.close().unwrap().success());
}

#[test]
fn a_layer_changes_results() {
    let mut client = connect();
    for (tool, argument) in [("echo", "text"), ("fail", "message")] {
        let result = client.call_tool(tool, json!({argument: "it is S3CRET"})).unwrap();
        assert_eq!((text(&result), result["isError"] == true), ("it is …", tool == "fail"));
    }
    // Plain functions run on threads, and their layers with them.
    assert_eq!(text(&client.call_tool("spin", json!({"ms": 1})).unwrap()), "ok");
    assert!(client.close().unwrap().success());
}

#[test]
fn a_timeout_includes_the_layers() {
    let (errors, writer) = std::io::pipe().unwrap();
    let mut command = fixture();
    command.arg("--layers").env("RUST_LOG", "info").stderr(writer);
    let mut client = TestClient::spawn(&mut command).unwrap();
    drop(command);
    client.initialize().unwrap();
    assert_eq!(text(&client.call_tool("quick_timeout", json!({})).unwrap()), TIMED_OUT);
    // The layers are dropped after the answer, and the program does not end before.
    let mut log = BufReader::new(errors).lines().map(Result::unwrap);
    let said: Vec<_> = log
        .by_ref()
        .take_while(|line| line != "a layer around quick_timeout was dropped")
        .collect();
    assert!(client.close().unwrap().success());
    let all: Vec<_> = said.into_iter().chain(log).collect();
    assert!(!all.iter().any(|line| line.contains("a layer has a result")), "{all:?}");
}

#[test]
fn a_call_that_is_cancelled_drops_its_layers() {
    for name in ["sleep_ms", "until_cancelled"] {
        let (mut errors, writer) = std::io::pipe().unwrap();
        let mut command = fixture();
        let mut client = TestClient::spawn(command.arg("--layers").stderr(writer)).unwrap();
        drop(command);
        client.initialize().unwrap();
        let arguments = if name == "sleep_ms" { json!({"ms": 600_000}) } else { json!({}) };
        let params = json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "t"}});
        let id = client.send("tools/call", params).unwrap();
        let begun = client.receive().unwrap().unwrap();
        assert_eq!(begun["params"]["message"], "a layer has begun");
        client.notify("notifications/cancelled", json!({"requestId": id})).unwrap();
        // It waits on the runtime that has dropped the other call by then.
        assert_eq!(text(&client.call_tool("sleep_ms", json!({"ms": 1})).unwrap()), "ok");
        client.end_input();
        let said = rest(&mut client);
        assert!(said.iter().all(|message| message["id"] != id), "{said:?}");
        assert!(client.close().unwrap().success());
        let mut log = String::new();
        errors.read_to_string(&mut log).unwrap();
        let dropped = format!("a layer around {name} was dropped\n");
        // A plain function cannot be stopped: its layers end with it.
        assert_eq!(log.contains(&dropped), name == "sleep_ms", "{log}");
    }
}

#[test]
fn progress_of_a_tool_and_its_layers_comes_in_order() {
    let mut client = connect();
    let meta = json!({"progressToken": 7});
    let params = json!({"name": "test_tool_with_progress", "arguments": {}, "_meta": meta});
    let id = client.send("tools/call", params).unwrap();
    let mut said = Vec::new();
    let answer = loop {
        let message = client.receive().unwrap().unwrap();
        if message["id"] == id {
            break message;
        }
        assert_eq!(message["params"]["progressToken"], 7);
        said.push(message["params"]["message"].as_str().unwrap().to_owned());
    };
    // Progress only grows, so the tool's first step, 0, is none.
    let steps = ["50", "100"].map(|step| format!("Completed step {step} of 100"));
    assert_eq!(said, [&["a layer has begun".to_owned()], &steps[..]].concat());
    assert_eq!(text(&answer["result"]), "done");
    assert!(client.close().unwrap().success());
}

#[test]
fn the_log_names_the_span_of_a_call_with_its_fields() {
    let (answers, log) =
        answered(&[("add", json!({"a": 1, "b": 2})), ("fail", json!({"message": "S3CRET"}))]);
    assert_eq!(answers.len(), 2);
    assert!(!log.contains("S3CRET"), "{log}");
    for (id, tool) in [(1, "add"), (2, "fail")] {
        let is_of = |line: &&str| line.contains(&format!("otel.name=\"tools/call {tool}\""));
        let lines: Vec<_> = log.lines().filter(is_of).collect();
        let [line] = lines[..] else { panic!("{tool} has one event: {log}") };
        assert!(line.ends_with("a layer has a result"), "{line}");
        for field in [
            "INFO tools/call{",
            "otel.kind=\"server\"",
            "mcp.method.name=\"tools/call\"",
            "mcp.protocol.version=\"",
            "mcp.session.id=\"",
            &format!("jsonrpc.request.id=\"{id}\""),
            "network.transport=\"pipe\"",
            "gen_ai.operation.name=\"execute_tool\"",
            &format!("gen_ai.tool.name=\"{tool}\""),
        ] {
            assert!(line.contains(field), "{field} is not in {line}");
        }
    }
}
