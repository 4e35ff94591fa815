//! Batches of a client of 2025-03-26.

use serde_json::{Value, json};
use toolwright::testing::TestClient;

use super::{fixture, rest};

fn connect() -> TestClient {
    let mut client = TestClient::spawn(&mut fixture()).unwrap();
    let settled = client.request("initialize", json!({"protocolVersion": "2025-03-26"})).unwrap();
    assert_eq!(settled["result"]["protocolVersion"], "2025-03-26");
    client
}

fn call(id: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// The ids of an array of answers.
fn ids(message: &Value) -> Vec<&str> {
    let answers = message.as_array().unwrap_or_else(|| panic!("no array: {message}"));
    let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn a_batch_is_answered_with_an_array() {
    let mut client = connect();
    let batch = json!([
        call("a", "add", json!({"a": 1, "b": 2})),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call("b", "sleep_ms", json!({"ms": 20})),
        {"jsonrpc": "2.0", "id": "c", "method": "ping"},
        call("d", "spin", json!({"ms": 1})),
        call("e", "no such", json!({})),
    ]);
    client.send_line(&batch.to_string()).unwrap();
    assert_eq!(ids(&client.receive().unwrap().unwrap()), ["a", "b", "c", "d", "e"]);
    assert!(client.close().unwrap().success());
}

/// One call of the batch blocks the thread that reads; the others must run nevertheless, and
/// lines must be read.
#[test]
fn a_call_that_blocks_holds_up_no_other_one_of_its_batch() {
    let mut client = connect();
    let blocks = || json!({"ms": 600_000});
    let batch = json!([
        call("blocks", "spin_async", blocks()),
        call("blocks too", "spin_async", blocks()),
        call("runs", "until_cancelled", json!({})),
    ]);
    client.send_line(&batch.to_string()).unwrap();
    let progress = client.receive().unwrap().unwrap();
    assert_eq!(progress["params"]["progressToken"], "runs");
    let other = json!([call("other", "add", json!({"a": 1, "b": 2}))]);
    client.send_line(&other.to_string()).unwrap();
    assert_eq!(ids(&client.receive().unwrap().unwrap()), ["other"]);
    assert_eq!(client.request("ping", json!({})).unwrap()["result"], json!({}));
    client.notify("notifications/cancelled", json!({"requestId": "blocks"})).unwrap();
    client.end_input();
    let answers = rest(&mut client);
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(ids(&answers[0]), ["blocks too", "runs"]);
    assert!(client.close().unwrap().success());
}

#[test]
fn a_batch_may_have_a_thousand_calls() {
    let mut client = connect();
    let calls: Vec<_> =
        (0..1_000).map(|id| call(&id.to_string(), "sleep_ms", json!({"ms": 1}))).collect();
    client.send_line(&Value::from(calls).to_string()).unwrap();
    assert_eq!(client.receive().unwrap().unwrap().as_array().unwrap().len(), 1_000);
    assert!(client.close().unwrap().success());
}
