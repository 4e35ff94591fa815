//! Clients that listen, and what they cost.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use serde_json::{Value, json};

use super::scene::{Scene, call, frame, is_silent, modern, rest, send};
use crate::http::{Options, Service};
use crate::{Resource, ToolRegistry};

#[tokio::test]
async fn a_listener_that_does_not_read_hears_once_of_many_changes() {
    let uris = ["file:///a", "file:///b"];
    let resources = uris.map(|uri| Resource::new(uri, uri, "", async |_, _| "x"));
    let registry = ToolRegistry::builder("files").resources(resources).build().unwrap();
    let options = Options { max_unsent: 4_096, ..Options::default() };
    let service = Service::with(registry.clone(), options);
    let wanted = json!({"notifications": {"resourceSubscriptions": uris}});
    let response = send(&service, modern("subscriptions/listen", None, &wanted)).await;
    let mut body = response.into_body();
    frame(&mut body).await.unwrap();
    for _ in 0..1_000 {
        registry.resource_updated("file:///a");
    }
    registry.resource_updated("file:///b");
    // What came too late to wait follows once it has read the rest.
    let mut heard = frame(&mut body).await.unwrap();
    assert!(heard.len() < 16 * 1024 && !heard.contains("file:///b"), "{heard}");
    heard = frame(&mut body).await.unwrap();
    assert_eq!(["a", "b"].map(|name| heard.matches(&format!("file:///{name}")).count()), [1, 1]);
    assert!(is_silent(&mut body));
    let ((), left) = tokio::join!(service.close(Duration::from_secs(60)), rest(body));
    let answer = left.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn listeners_leave_room_for_requests_and_hear_the_end() {
    let scene = Scene::new(|options| options.max_requests = 1);
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let mut bodies = Vec::new();
    for _ in 0..3 {
        let response = scene.send(modern("subscriptions/listen", None, &wanted)).await;
        bodies.push(response.into_body());
    }
    assert_eq!(scene.ask(call("echo", &json!({}))).await.0, 200);
    let steps = scene.send(call("steps", &json!({}))).await;
    assert_eq!(scene.ask(call("echo", &json!({}))).await.0, 503);
    drop(steps);
    // The runtime drops the call.
    tokio::task::yield_now().await;
    let mut closes = pin!(scene.service.close(Duration::from_secs(60)));
    for body in bodies {
        let closed = poll_fn(|cx| Poll::Ready(closes.as_mut().poll(cx))).await;
        assert!(closed.is_pending(), "a result was not read");
        assert!(rest(body).await.contains("complete"));
    }
    closes.await;
}
