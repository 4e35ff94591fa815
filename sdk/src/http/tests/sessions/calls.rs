//! Calls in sessions.

use std::sync::atomic::Ordering;
use std::time::Duration;

use http::HeaderMap;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::super::scene::{Scene, frame, rest};
use super::{HOUR, begin, begin_in, call, cancel, events, initialized, post, scene, status};
use crate::Tool;
use crate::http::Sessions;

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_with_its_exchange() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    // Before the head of the answer: an error.
    let call_it = scene.ask(post(&id, &call(1, "waits")));
    let cancel_it = scene.ask(post(&id, &cancel(1)));
    let ((status, answer), (accepted, _)) = tokio::join!(call_it, cancel_it);
    assert_eq!((status, accepted), (200, 202));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32800)));
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
    // In a stream: its end.
    let response = scene.send(post(&id, &call(2, "waits"))).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 1);
    let (stream, accepted) =
        tokio::join!(rest(response.into_body()), scene.ask(post(&id, &cancel(2))));
    assert!(accepted.0 == 202 && !stream.contains("message"), "{stream}");
    tokio::task::yield_now().await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
    // One session does not cancel the calls of another.
    let other = begin(&scene).await;
    let response = scene.send(post(&id, &call(3, "waits"))).await;
    assert_eq!(scene.ask(post(&other, &cancel(3))).await.0, 202);
    tokio::task::yield_now().await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 1);
    drop(response);
}

#[tokio::test]
async fn answers_go_to_the_requests_that_they_belong_to() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let mut running = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    frame(&mut running).await.unwrap();
    // The same id again is an error of the later request.
    let (_, answer) = scene.ask(post(&id, &call(1, "echo"))).await;
    assert!(answer.contains("-32600"), "{answer}");
    let (_, answer) = scene.ask(post(&id, &call(2, "echo"))).await;
    assert!(answer.contains("hi"), "{answer}");
    scene.go.notify_one();
    assert_eq!(events(&rest(running).await).last().unwrap().1, "done");
}

#[tokio::test]
async fn a_tool_finds_the_head_of_its_own_request() {
    let scene = scene(|_| {});
    let tool =
        Tool::new("whose", "", json!({"type": "object"}), async |_: Value, cx: crate::Context| {
            let headers: HeaderMap =
                cx.extension::<http::request::Parts>().unwrap().headers.clone();
            headers["x-user"].to_str().unwrap().to_owned()
        });
    scene.registry.add(tool).unwrap();
    let id = begin(&scene).await;
    for user in ["ann", "bob"] {
        let mut request = post(&id, &call(1, "whose"));
        request.headers_mut().insert("x-user", user.parse().unwrap());
        assert!(scene.ask(request).await.1.contains(user));
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_has_one_answer() {
    let scene = scene(|_| {});
    let id = begin_in(&scene, "2025-03-26").await;
    let ping = json!({"jsonrpc": "2.0", "id": 8, "method": "ping"});
    let batch = json!([call(1, "echo"), ping, call(2, "waits"), initialized()]);
    let (batch, later) = (post(&id, &batch), async {
        // Another request is answered meanwhile.
        assert!(scene.ask(post(&id, &call(3, "echo"))).await.1.contains("hi"));
        scene.ask(post(&id, &cancel(2))).await
    });
    let ((found, answers), (accepted, _)) = tokio::join!(scene.ask(batch), later);
    assert_eq!((found, accepted), (200, 202));
    let answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 8]);
    // Progress of its calls goes to its stream.
    let mut body = scene.send(post(&id, &json!([call(4, "steps")]))).await.into_body();
    assert_eq!(events(&frame(&mut body).await.unwrap())[0].1, "half");
    scene.go.notify_one();
    assert!(rest(body).await.contains("data: [{"));
    // Nothing is left of this one.
    let batch = scene.ask(post(&id, &json!([call(5, "waits"), call(6, "waits")])));
    let later = async {
        for call in [5, 6] {
            assert_eq!(scene.ask(post(&id, &cancel(call))).await.0, 202);
        }
    };
    let ((found, answer), ()) = tokio::join!(batch, later);
    assert!(found == 200 && answer.contains("-32800"), "{answer}");
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
    assert_eq!(status(&scene, post(&id, &json!([initialized()]))).await, 202);
    let new = begin(&scene).await;
    assert_eq!(status(&scene, post(&new, &json!([ping]))).await, 400);
}

#[tokio::test]
async fn the_places_of_a_batch_are_free_once_it_is_answered() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.max_requests = 1;
    });
    let id = begin_in(&scene, "2025-03-26").await;
    for _ in 0..2 {
        let batch = post(&id, &json!([call(1, "echo"), call(2, "echo")]));
        assert_eq!(scene.ask(batch).await.0, 200);
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_without_a_client_gives_up_its_place_once_it_is_cancelled() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.max_requests = 1;
    });
    let id = begin_in(&scene, "2025-03-26").await;
    let batch = scene.send(post(&id, &json!([call(1, "waits"), call(2, "waits")])));
    // Its client leaves before the head of the answer.
    assert!(timeout(Duration::from_secs(1), batch).await.is_err());
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 2);
    assert_eq!(status(&scene, post(&id, &cancel(1))).await, 202);
    assert_eq!(status(&scene, post(&id, &call(3, "echo"))).await, 503);
    assert_eq!(status(&scene, post(&id, &cancel(2))).await, 202);
    assert_eq!(status(&scene, post(&id, &call(3, "echo"))).await, 200);
    // Nothing keeps the session.
    sleep(2 * HOUR).await;
    assert_eq!(scene.service.sessions(), 0);
}
