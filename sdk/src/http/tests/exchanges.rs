//! Requests that are served: JSON, streams, cancellation, bounds.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use super::scene::{Scene, call, frame, is_silent, legacy, modern, rest, send};
use crate::{Context, LoggingLevel, Tool};

fn text(answer: &str) -> Value {
    let answer: Value = serde_json::from_str(answer).unwrap();
    answer["result"]["content"][0]["text"].clone()
}

/// The messages of a stream.
pub(super) fn events(stream: &str) -> Vec<Value> {
    let events =
        stream.split("\n\n").filter_map(|event| event.strip_prefix("event: message\ndata: "));
    events.map(|event| serde_json::from_str(event).unwrap()).collect()
}

#[tokio::test]
async fn an_answer_that_comes_first_is_json() {
    let scene = Scene::new(|_| {});
    let response = scene.send(call("echo", &json!({"text": "hé"}))).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(text(&rest(response.into_body()).await), "hé");

    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"text": "old"}}});
    let (status, answer) = scene.ask(legacy(&message)).await;
    assert_eq!((status, text(&answer)), (200, json!("old")));
    assert!(!answer.contains("resultType"), "{answer}");
}

#[tokio::test]
async fn changes_are_promised_to_those_who_can_hear_of_them() {
    let scene = Scene::new(|_| {});
    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25"}});
    let (_, answer) = scene.ask(legacy(&message)).await;
    assert!(answer.contains(r#""tools":{}"#), "{answer}");
    let (_, answer) = scene.ask(modern("server/discover", None, &json!({}))).await;
    assert!(answer.contains(r#""tools":{"listChanged":true}"#), "{answer}");
}

#[tokio::test]
async fn progress_makes_a_stream_that_ends_with_the_answer() {
    let scene = Scene::new(|_| {});
    let response = scene.send(call("steps", &json!({}))).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let mut body = response.into_body();
    let first = frame(&mut body).await.unwrap();
    assert_eq!(events(&first)[0]["params"]["message"], "half");
    assert!(is_silent(&mut body));
    scene.go.notify_one();
    let left = events(&rest(body).await);
    assert_eq!(left[0]["params"]["message"], "more");
    assert_eq!(left[1]["result"]["content"][0]["text"], "done");
    assert_eq!(left.len(), 2);
}

#[tokio::test]
async fn logs_are_for_the_request_that_asks_for_them() {
    let scene = Scene::new(|_| {});
    let logs = Tool::new("logs", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        cx.log(LoggingLevel::Warning, "logged");
        "done"
    });
    scene.registry.add(logs).unwrap();
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let mut listener = scene.send(modern("subscriptions/listen", None, &wanted)).await.into_body();
    frame(&mut listener).await.unwrap();

    let call = |meta: Value| {
        modern("tools/call", Some("logs"), &json!({"name": "logs", "arguments": {}, "_meta": meta}))
    };
    let level = |level: &str| json!({"io.modelcontextprotocol/logLevel": level});
    let (_, answer) = scene.ask(call(level("warning"))).await;
    let heard = events(&answer);
    assert_eq!(heard[0]["method"], "notifications/message");
    assert_eq!(heard[0]["params"], json!({"level": "warning", "data": "logged"}));
    assert_eq!(heard[1]["result"]["content"][0]["text"], "done");
    for quiet in [json!({}), level("error")] {
        assert_eq!(text(&scene.ask(call(quiet)).await.1), "done");
    }
    let (_, answer) = scene.ask(call(level("loud"))).await;
    assert!(answer.contains(r#""error":{"code":-32602"#), "{answer}");
    assert!(is_silent(&mut listener));
}

#[tokio::test]
async fn a_notification_of_the_servers_own_goes_to_the_call_that_sends_it() {
    let scene = Scene::new(|_| {});
    let tells = Tool::new("tells", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        cx.notify("notifications/toy/of_call", json!({"a": 1})).unwrap();
        "done"
    });
    scene.registry.add(tells).unwrap();
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let mut listener = scene.send(modern("subscriptions/listen", None, &wanted)).await.into_body();
    frame(&mut listener).await.unwrap();
    let old = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call",
        "params": {"name": "tells", "arguments": {}}});
    for request in [call("tells", &json!({})), legacy(&old)] {
        let heard = events(&scene.ask(request).await.1);
        assert_eq!(heard[0]["params"], json!({"a": 1}));
        assert_eq!(heard[1]["result"]["content"][0]["text"], "done");
    }
    let mut plain = call("tells", &json!({}));
    plain.headers_mut().insert("accept", "application/json".parse().unwrap());
    assert_eq!(text(&scene.ask(plain).await.1), "done");
    // The protocol has no way to ask for those of no call.
    scene.registry.notify("notifications/toy/event", json!({"a": 1})).unwrap();
    assert!(is_silent(&mut listener));
}

#[tokio::test]
async fn a_client_that_takes_json_only_misses_progress_and_gets_its_answer() {
    for json_only in [true, false] {
        let scene = Scene::new(|options| options.json_only = json_only);
        let mut request = call("steps", &json!({}));
        if !json_only {
            request.headers_mut().insert("accept", "application/json".parse().unwrap());
        }
        scene.go.notify_one();
        let (status, answer) = scene.ask(request).await;
        assert_eq!((status, text(&answer)), (200, json!("done")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_call_becomes_a_stream_of_comments() {
    let scene = Scene::new(|_| {});
    let response = scene.send(call("waits", &json!({}))).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    for _ in 0..3 {
        assert_eq!(frame(&mut body).await.unwrap(), ":\n\n");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_comments_is_an_option() {
    let scene = Scene::new(|options| options.keep_alive = Duration::ZERO);
    let mut body = scene.send(call("waits", &json!({}))).await.into_body();
    // Buffering proxies pass the head on with the first one.
    assert_eq!(frame(&mut body).await.unwrap(), ":\n\n");
    let next = tokio::time::timeout(Duration::from_secs(3_600), frame(&mut body)).await;
    assert!(next.is_err(), "{next:?}");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_cancels_its_call_in_the_modern_era_only() {
    let scene = Scene::new(|_| {});
    // Before the head of the answer.
    let early = tokio::time::timeout(Duration::from_secs(1), scene.send(call("waits", &json!({}))));
    assert!(early.await.is_err());
    tokio::task::yield_now().await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
    // And after it.
    let response = scene.send(call("waits", &json!({}))).await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 1);
    drop(response);
    tokio::task::yield_now().await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);

    let message =
        json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {"name": "waits"}});
    drop(scene.send(legacy(&message)).await);
    tokio::task::yield_now().await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_listener_hears_changes_until_the_service_closes() {
    let scene = Scene::new(|_| {});
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let listen = || modern("subscriptions/listen", None, &wanted);
    let mut body = scene.send(listen()).await.into_body();
    let first = events(&frame(&mut body).await.unwrap());
    assert_eq!(first[0]["method"], "notifications/subscriptions/acknowledged");
    assert!(is_silent(&mut body));
    let new = Tool::new("new", "", json!({"type": "object"}), async |_: Value, _| "");
    scene.registry.add(new).unwrap();
    let heard = events(&frame(&mut body).await.unwrap());
    assert_eq!(heard[0]["method"], "notifications/tools/list_changed");
    assert_eq!(heard[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    let (_, left) = tokio::join!(scene.service.close(Duration::from_secs(60)), rest(body));
    assert_eq!(events(&left)[0]["result"]["resultType"], "complete");
    let (status, _) = scene.ask(listen()).await;
    assert_eq!(status, 503);
}

#[tokio::test]
async fn listeners_are_bounded() {
    let scene = Scene::new(|options| options.max_listeners = 2);
    let wanted = json!({"notifications": {}});
    let listen = || modern("subscriptions/listen", None, &wanted);
    let first = scene.send(listen()).await;
    let _second = scene.send(listen()).await;
    let (status, answer) = scene.ask(listen()).await;
    assert!(status == 200 && answer.contains("-32603"), "{status} {answer}");
    drop(first);
    assert_eq!(scene.send(listen()).await.headers()["content-type"], "text/event-stream");
}

#[tokio::test]
async fn requests_are_bounded() {
    let scene = Scene::new(|options| options.max_requests = 1);
    let mut waits = std::pin::pin!(scene.send(call("steps", &json!({}))));
    let response = std::future::poll_fn(|cx| waits.as_mut().poll(cx)).await;
    let (status, answer) = scene.ask(call("echo", &json!({}))).await;
    assert_eq!(status, 503, "{answer}");
    drop(response);
    // The runtime drops the call.
    tokio::task::yield_now().await;
    assert_eq!(scene.ask(call("echo", &json!({}))).await.0, 200);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_outlives_the_grace_gets_an_error_result() {
    let scene = Scene::new(|_| {});
    let called = scene.ask(call("waits", &json!({})));
    let ((status, answer), ()) = tokio::join!(called, scene.service.close(Duration::from_secs(5)));
    assert_eq!(status, 200);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_client_is_counted_and_stopped_with_the_service() {
    let scene = Scene::new(|options| options.max_requests = 1);
    let message =
        json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {"name": "waits"}});
    drop(scene.send(legacy(&message)).await);
    tokio::task::yield_now().await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 1);
    assert_eq!(scene.ask(call("echo", &json!({}))).await.0, 503);
    scene.service.close(Duration::from_secs(5)).await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn progress_for_a_client_that_does_not_read_is_dropped_and_the_answer_is_not() {
    let scene = Scene::new(|options| options.max_unsent = 4_096);
    let talks =
        Tool::new("talks", "", json!({"type": "object"}), async |_: Value, cx: crate::Context| {
            for step in 1..=10_000 {
                cx.progress(f64::from(step) / 10_001.0, "step");
            }
            "done"
        });
    scene.registry.add(talks).unwrap();
    let stream = rest(scene.send(call("talks", &json!({}))).await.into_body()).await;
    assert!(stream.len() < 8_192, "{}", stream.len());
    let events = events(&stream);
    assert_eq!(events.last().unwrap()["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn many_clients_use_the_same_id() {
    let scene = Scene::new(|_| {});
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..30 {
        let service = scene.service.clone();
        calls.spawn(async move {
            let sent = send(&service, call("echo", &json!({"text": number.to_string()})));
            (number.to_string(), text(&rest(sent.await.into_body()).await))
        });
    }
    while let Some(called) = calls.join_next().await {
        let (sent, answered) = called.unwrap();
        assert_eq!(answered, json!(sent));
    }
}

#[tokio::test]
async fn a_batch_is_answered_with_an_array() {
    let scene = Scene::new(|_| {});
    let send = |batch: Value| {
        let mut request = legacy(&batch);
        let version = "2025-03-26".parse().unwrap();
        request.headers_mut().insert("mcp-protocol-version", version);
        scene.ask(request)
    };
    let echo = |id: u32| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": "said"}}})
    };
    let (status, answers) = send(json!([echo(1), echo(2)])).await;
    let answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!((status, ids), (200, vec![1, 2]));
    let ping = json!({"jsonrpc": "2.0", "id": 3, "method": "ping"});
    let pong = r#"[{"jsonrpc":"2.0","id":3,"result":{}}]"#;
    assert_eq!(send(json!([&ping])).await, (200, pong.to_owned()));
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(send(json!([note])).await, (202, String::new()));
    for refused in [json!([]), vec![ping; 1_001].into()] {
        let (status, refusal) = send(refused).await;
        assert!((status, refusal.contains("-32600")) == (400, true), "{status} {refusal}");
    }
}

#[tokio::test]
async fn the_answers_to_a_batch_are_one_array_however_long_they_are() {
    let scene = Scene::new(|_| {});
    let long =
        Tool::new("long", "", json!({"type": "object"}), async |_: Value, _: crate::Context| {
            "x".repeat(9 * 1024 * 1024)
        });
    scene.registry.add(long).unwrap();
    let call = |id: u32| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "long", "arguments": {}}})
    };
    for accept in ["application/json", "text/event-stream"] {
        let mut request = legacy(&json!([call(1), call(2), call(3), call(4)]));
        let version = "2025-03-26".parse().unwrap();
        request.headers_mut().insert("mcp-protocol-version", version);
        request.headers_mut().insert("accept", accept.parse().unwrap());
        let (status, answer) = scene.ask(request).await;
        let array = answer.lines().find_map(|line| line.strip_prefix("data: "));
        let array = array.unwrap_or(&answer);
        let answers: Vec<Value> = serde_json::from_str(array).unwrap();
        let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!((status, ids), (200, vec![1, 2, 3, 4]), "{accept}");
        // Two are more than may wait, so the others are refused.
        let refused = answers.iter().filter(|answer| answer["error"]["code"] == -32603);
        assert_eq!(refused.count(), 2, "{accept}");
    }
}
