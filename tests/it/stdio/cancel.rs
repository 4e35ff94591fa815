//! Cancel means stop, and no answer. So does a timeout, with one.

use serde_json::json;

use super::{connect, connect_to, rest, text};

/// Cancels `name` once it runs and gives all that the server says from then on.
fn cancelled(name: &str, arguments: serde_json::Value) -> Vec<serde_json::Value> {
    let mut client = connect();
    let params = json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "t"}});
    let id = client.send("tools/call", params).unwrap();
    let ping = client.send("ping", json!({})).unwrap();
    client.answer(ping).unwrap();
    client.notify("notifications/cancelled", json!({"requestId": id, "reason": "enough"})).unwrap();
    let sum = client.call_tool("add", json!({"a": 1, "b": 2})).unwrap();
    assert_eq!(text(&sum), "3");
    client.end_input();
    let said = rest(&mut client);
    assert!(client.close().unwrap().success());
    said.into_iter().filter(|message| message["id"] == id).collect()
}

#[test]
fn a_cancelled_call_is_never_answered() {
    for (name, arguments) in [
        ("sleep_ms", json!({"ms": 600_000})),
        ("spin", json!({"ms": 600_000})),
        ("spin_async", json!({"ms": 600_000})),
        ("until_cancelled", json!({})),
    ] {
        assert_eq!(cancelled(name, arguments), Vec::<serde_json::Value>::new(), "{name}");
    }
}

#[test]
fn a_plain_function_sees_that_it_is_cancelled() {
    let mut client = connect();
    let params = json!({"name": "until_cancelled", "arguments": {}, "_meta": {"progressToken": 5}});
    // As many as there are threads: only if they stop is there one for the next call.
    let ids: Vec<_> = (0..64).map(|_| client.send("tools/call", params.clone()).unwrap()).collect();
    for _ in &ids {
        assert_eq!(client.receive().unwrap().unwrap()["params"]["progressToken"], 5);
    }
    for id in ids {
        client.notify("notifications/cancelled", json!({"requestId": id})).unwrap();
    }
    assert_eq!(text(&client.call_tool("spin", json!({"ms": 1})).unwrap()), "ok");
    assert!(client.close().unwrap().success());
}

#[test]
fn a_tool_that_takes_too_long_is_stopped_and_answered() {
    let mut client = connect();
    let result = client.call_tool("quick_timeout", json!({})).unwrap();
    assert_eq!(result["isError"], true);
    assert_eq!(
        text(&result),
        "The tool `quick_timeout` was stopped: it did not finish within 50ms."
    );
    assert_eq!(text(&client.call_tool("add", json!({"a": 1, "b": 2})).unwrap()), "3");
    assert!(client.close().unwrap().success());
}

#[test]
fn the_id_of_a_cancelled_call_can_be_used_again() {
    let mut client = connect();
    let call = |ms: u64| json!({"jsonrpc": "2.0", "id": "again", "method": "tools/call", "params": {"name": "sleep_ms", "arguments": {"ms": ms}}});
    for _ in 0..3 {
        client.send_line(&call(600_000).to_string()).unwrap();
        client.notify("notifications/cancelled", json!({"requestId": "again"})).unwrap();
    }
    client.send_line(&call(1).to_string()).unwrap();
    client.end_input();
    let said = rest(&mut client);
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(text(&said[0]["result"]), "ok");
}

#[test]
fn a_plain_function_that_is_cancelled_before_it_has_a_thread_never_runs() {
    let mut client = connect();
    let busy: Vec<_> = (0..64)
        .map(|_| {
            client.send("tools/call", json!({"name": "spin", "arguments": {"ms": 1_000}})).unwrap()
        })
        .collect();
    // If these ran there would be no thread left for ever.
    let never: Vec<_> = (0..64)
        .map(|_| client.send("tools/call", json!({"name": "reluctant", "arguments": {}})).unwrap())
        .collect();
    for id in never {
        client.notify("notifications/cancelled", json!({"requestId": id})).unwrap();
    }
    for id in busy {
        assert_eq!(text(&client.answer(id).unwrap()["result"]), "ok");
    }
    assert_eq!(text(&client.call_tool("spin", json!({"ms": 1})).unwrap()), "ok");
    assert!(client.close().unwrap().success());
}

#[test]
fn a_tool_that_holds_up_its_runtime_holds_up_no_timeout() {
    let mut client = connect_to("spin_later,quick_timeout");
    client.send("tools/call", json!({"name": "spin_later", "arguments": {"ms": 600_000}})).unwrap();
    let result = client.call_tool("quick_timeout", json!({})).unwrap();
    assert_eq!(
        text(&result),
        "The tool `quick_timeout` was stopped: it did not finish within 50ms."
    );
    assert!(client.close().unwrap().success());
}
