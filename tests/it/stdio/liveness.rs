//! Nothing stops the reader.

use serde_json::json;

use super::{connect, text};

/// The order of answers is what is asserted here, not their speed: the tools take seconds where a
/// ping takes microseconds.
#[test]
fn pings_get_through_while_tools_compute_and_sleep() {
    let mut client = connect();
    let mut slow = Vec::new();
    for _ in 0..4 {
        slow.push(
            client.send("tools/call", json!({"name": "spin", "arguments": {"ms": 1_000}})).unwrap(),
        );
    }
    for _ in 0..200 {
        slow.push(
            client
                .send("tools/call", json!({"name": "sleep_ms", "arguments": {"ms": 1_500}}))
                .unwrap(),
        );
    }
    for _ in 0..3 {
        let ping = client.send("ping", json!({})).unwrap();
        let first = client.receive().unwrap().unwrap();
        assert_eq!(first["id"], ping, "{first}");
    }
    for id in slow {
        assert_eq!(text(&client.answer(id).unwrap()["result"]), "ok");
    }
    assert!(client.close().unwrap().success());
}

#[test]
fn an_async_tool_that_computes_before_its_first_await_is_overtaken() {
    let mut client = connect();
    let slow: Vec<_> = (0..2)
        .map(|_| {
            client
                .send("tools/call", json!({"name": "spin_async", "arguments": {"ms": 1_500}}))
                .unwrap()
        })
        .collect();
    let ping = client.send("ping", json!({})).unwrap();
    let quick =
        client.send("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}})).unwrap();
    assert_eq!(client.receive().unwrap().unwrap()["id"], ping);
    assert_eq!(client.receive().unwrap().unwrap()["id"], quick);
    for id in slow {
        assert_eq!(text(&client.answer(id).unwrap()["result"]), "ok");
    }
    assert!(client.close().unwrap().success());
}

#[test]
fn more_calls_than_run_at_once_are_all_answered() {
    let mut client = connect();
    let ids: Vec<_> = (0..3_000)
        .map(|_| {
            client.send("tools/call", json!({"name": "sleep_ms", "arguments": {"ms": 20}})).unwrap()
        })
        .collect();
    let ping = client.send("ping", json!({})).unwrap();
    client.answer(ping).unwrap();
    for id in ids {
        assert_eq!(text(&client.answer(id).unwrap()["result"]), "ok");
    }
    assert!(client.close().unwrap().success());
}

#[test]
fn more_plain_functions_than_there_are_threads_are_all_answered() {
    let mut client = connect();
    let ids: Vec<_> = (0..200)
        .map(|_| {
            client.send("tools/call", json!({"name": "spin", "arguments": {"ms": 1}})).unwrap()
        })
        .collect();
    for id in ids {
        assert_eq!(text(&client.answer(id).unwrap()["result"]), "ok");
    }
    assert!(client.close().unwrap().success());
}
