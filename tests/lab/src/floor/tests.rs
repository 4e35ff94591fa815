use serde_json::{Value, json};

use super::answer::answer;

/// The answer to a line, if it has one.
fn answered(line: &str) -> Option<Value> {
    let mut out = Vec::new();
    if let Some(sleep) = answer(line.as_bytes(), &mut out) {
        assert!(out.is_empty(), "a sleep is answered later");
        out = sleep.answered();
    }
    let text = String::from_utf8(out).expect("answers are UTF-8");
    assert_eq!(text.lines().count(), usize::from(!text.is_empty()), "{text}");
    (!text.is_empty()).then(|| serde_json::from_str(&text).expect("answers are JSON"))
}

fn ask(method: &str, params: Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": "a-1", "method": method, "params": params});
    let answer = answered(&request.to_string()).expect("a request is answered");
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!("a-1")), "{answer}");
    answer
}

fn call(name: &str, arguments: Value) -> Value {
    ask("tools/call", json!({"name": name, "arguments": arguments}))["result"].take()
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": false})
}

#[test]
fn it_speaks_the_handshake() {
    let opened = ask("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}}));
    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answered(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), None);
    assert_eq!(ask("ping", json!({}))["result"], json!({}));
    let listed = ask("tools/list", json!({}));
    let names: Vec<&Value> = (0..4).map(|at| &listed["result"]["tools"][at]["name"]).collect();
    assert_eq!(names, ["add", "echo", "sleep_ms", "search"]);
}

#[test]
fn its_tools_answer_as_those_of_the_fixture_do() {
    assert_eq!(call("add", json!({"a": 2, "b": 0.25})), text("2.25"));
    assert_eq!(call("add", json!({"a": 2, "b": 3.0})), text("5"));
    assert_eq!(call("echo", json!({"text": "a \"b\"\n\u{1f600}"})), text("a \"b\"\n\u{1f600}"));
    assert_eq!(call("sleep_ms", json!({"ms": 1})), text("ok"));
    let filter = json!({"field": "stars", "op": "gt", "value": 100});
    let search = json!({
        "query": "rust",
        "filters": [filter, filter],
        "options": {"page": {"offset": 1, "size": 2}},
    });
    assert_eq!(call("search", search), text("2"));
}

#[test]
fn what_is_wrong_is_answered_as_an_error() {
    assert_eq!(answered("{").expect("an answer")["error"]["code"], -32700);
    assert_eq!(answered("{").expect("an answer")["id"], Value::Null);
    assert_eq!(ask("prompts/list", json!({}))["error"]["code"], -32601);
    assert_eq!(ask("tools/call", json!({"name": "none"}))["error"]["code"], -32602);
    assert_eq!(call("add", json!({"a": 2}))["isError"], true);
}
