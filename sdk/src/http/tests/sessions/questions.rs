//! Calls that ask the client.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use http::Request;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::{sleep, timeout};

use super::super::scene::{Heard, Scene, frame, is_silent, legacy, modern, rest};
use super::{
    HOUR, begin, begin_in, call, cancel, events, listen, post, request, resume, scene, status,
};
use crate::mcp::protocol::write_json;
use crate::{Context, Tool};

/// Adds `asks`, which asks the user, or for the roots if it is about nothing, and returns what it
/// hears.
fn add_asking(scene: &Scene) {
    let schema = json!({"type": "object"});
    let tool = Tool::new("asks", "", schema, async |value: Value, cx: Context| {
        let about = value["about"].as_str();
        let method = if about.is_some() { "elicitation/create" } else { "roots/list" };
        let mut params = |out: &mut Vec<u8>| {
            let Some(about) = about else { return };
            out.extend_from_slice(b"\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}");
            out.extend_from_slice(b",\"message\":");
            write_json(out, about);
        };
        match cx.ask(method, &mut params).await {
            Ok(answer) => answer.into_string(),
            Err(error) => error.to_string(),
        }
    });
    scene.registry.add(tool).unwrap();
}

/// A server with `asks` that one request fills.
fn full_with_one() -> Scene {
    let scene = Scene::new(|options| {
        options.sessions = Some(crate::http::Sessions::default());
        options.max_requests = 1;
    });
    add_asking(&scene);
    scene
}

fn asking(id: u64, about: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": "asks", "arguments": {"about": about}}})
}

/// The answer to a question.
fn answer(question: &Value, said: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": question["id"], "result": {"said": said}})
}

/// What withdraws a question.
fn withdrawal(question: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": question["id"]}})
}

/// The message of the only event in a text that has one.
fn message(events: &str) -> Value {
    let mut messages = messages(events);
    assert_eq!(messages.len(), 1, "{events}");
    messages.remove(0)
}

fn messages(events: &str) -> Vec<Value> {
    let data = events.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// Begins a call that asks, and reads the question.
async fn ask(scene: &Scene, request: Request<String>) -> (Heard, Value) {
    let response = scene.send(request).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let question = message(&frame(&mut body).await.unwrap());
    assert_eq!(question["method"], "elicitation/create");
    (body, question)
}

#[tokio::test]
async fn a_question_is_on_the_stream_of_the_call_that_asks() {
    let scene = scene(|_| {});
    add_asking(&scene);
    let id = begin(&scene).await;
    let mut of_session = listen(&scene, &id).await;
    let (mut first, about_first) = ask(&scene, post(&id, &asking(1, "first"))).await;
    let (second, about_second) = ask(&scene, post(&id, &asking(2, "second"))).await;
    assert_eq!(about_first["params"]["message"], "first");
    assert_eq!(about_second["params"]["message"], "second");
    assert_ne!(about_first["id"], about_second["id"]);
    // Each is answered on a request of its own, in any order.
    let accepted = (202, String::new());
    assert_eq!(scene.ask(post(&id, &answer(&about_second, "two"))).await, accepted);
    let done = message(&rest(second).await);
    assert_eq!((&done["id"], text(&done)), (&json!(2), r#"{"said":"two"}"#));
    assert!(is_silent(&mut first) && is_silent(&mut of_session));
    assert_eq!(scene.ask(post(&id, &answer(&about_first, "one"))).await, accepted);
    let done = message(&rest(first).await);
    assert_eq!((&done["id"], text(&done)), (&json!(1), r#"{"said":"one"}"#));
    assert!(is_silent(&mut of_session));
}

#[tokio::test]
async fn a_question_of_a_batch_is_on_its_stream() {
    let scene = scene(|_| {});
    add_asking(&scene);
    let id = begin_in(&scene, "2025-03-26").await;
    let batch = json!([call(1, "asks"), call(2, "asks")]);
    let mut body = scene.send(post(&id, &batch)).await.into_body();
    let mut questions = Vec::new();
    while questions.len() < 2 {
        questions.extend(messages(&frame(&mut body).await.unwrap()));
    }
    for question in questions {
        assert_eq!(status(&scene, post(&id, &answer(&question, "yes"))).await, 202);
    }
    let answers = message(&rest(body).await);
    assert_eq!(answers.as_array().unwrap().len(), 2, "{answers}");
    assert!(answers.as_array().unwrap().iter().all(|it| text(it) == r#"{"said":"yes"}"#));
}

#[tokio::test(start_paused = true)]
async fn a_question_is_not_dropped_for_the_progress_of_any_call() {
    let scene = scene(|sessions| sessions.replay = 4_096);
    let schema = json!({"type": "object"});
    let tool = Tool::new("asks", "", schema, async |value: Value, cx: Context| {
        let mut nothing = |_: &mut Vec<u8>| {};
        let mut asked = pin!(cx.ask("roots/list", &mut nothing));
        let mut steps = 0..value["steps"].as_u64().unwrap_or_default();
        poll_fn(|task| {
            let polled = asked.as_mut().poll(task);
            steps.by_ref().for_each(|step| cx.progress(step as f64 / 1_000.0, "step"));
            polled.map(|_| "answered")
        })
        .await
    });
    scene.registry.add(tool).unwrap();
    let id = begin(&scene).await;
    let mut waiting = Vec::new();
    for (number, steps) in [(1, 1_000), (2, 1), (3, 1_000)] {
        let params = json!({"name": "asks", "arguments": {"steps": steps},
            "_meta": {"progressToken": number}});
        let call =
            json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params});
        let mut body = scene.send(post(&id, &call)).await.into_body();
        let mut all = String::new();
        while let Ok(Some(text)) = timeout(Duration::from_secs(5), frame(&mut body)).await {
            all += &text;
        }
        assert!(all.len() < 16 * 1024, "{}", all.len());
        let question = all.lines().find(|line| line.contains("roots/list")).expect(&all);
        let question: Value = serde_json::from_str(&question["data: ".len()..]).unwrap();
        waiting.push((body, question));
    }
    for (body, question) in waiting {
        assert_eq!(status(&scene, post(&id, &answer(&question, "none"))).await, 202);
        assert!(rest(body).await.contains("answered"));
    }
}

#[tokio::test]
async fn the_question_of_one_call_of_a_batch_is_withdrawn_with_it() {
    let scene = scene(|_| {});
    add_asking(&scene);
    let id = begin_in(&scene, "2025-03-26").await;
    let batch = json!([call(1, "asks"), call(2, "asks")]);
    let mut body = scene.send(post(&id, &batch)).await.into_body();
    let mut questions = Vec::new();
    while questions.len() < 2 {
        questions.extend(messages(&frame(&mut body).await.unwrap()));
    }
    assert_eq!(status(&scene, post(&id, &cancel(1))).await, 202);
    assert_eq!(status(&scene, post(&id, &answer(&questions[1], "yes"))).await, 202);
    let heard = messages(&rest(body).await);
    let [withdrawn, answers] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(withdrawn, &withdrawal(&questions[0]));
    assert_eq!((answers[0]["id"].as_u64(), answers.as_array().unwrap().len()), (Some(2), 1));
}

#[tokio::test(start_paused = true)]
async fn the_question_of_a_call_that_takes_too_long_is_withdrawn_before_the_answer() {
    let scene = scene(|_| {});
    let tool = Tool::new("asks", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        let _ = cx.ask("roots/list", &mut |_: &mut Vec<u8>| {}).await;
    });
    scene.registry.add(tool.with_timeout(Duration::from_secs(5))).unwrap();
    let id = begin(&scene).await;
    let mut body = scene.send(post(&id, &call(1, "asks"))).await.into_body();
    let question = message(&frame(&mut body).await.unwrap());
    let heard = messages(&rest(body).await);
    let [withdrawn, answer] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(withdrawn, &withdrawal(&question));
    assert_eq!(answer["result"]["isError"], true, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_can_get_is_answered_with_an_error() {
    for (replay, has_begun) in [(1024 * 1024, false), (0, false), (0, true)] {
        let scene = scene(|sessions| sessions.replay = replay);
        let (say, mut said) = unbounded_channel();
        let go = scene.go.clone();
        let tool =
            Tool::new("asks", "", json!({"type": "object"}), move |_: Value, cx: Context| {
                let (say, go) = (say.clone(), go.clone());
                async move {
                    cx.progress(0.5, "half");
                    go.notified().await;
                    let mut nothing = |_: &mut Vec<u8>| {};
                    let asked = cx.ask("roots/list", &mut nothing).await;
                    let _ = say.send(asked.map_err(|error| error.to_string()));
                    ""
                }
            });
        scene.registry.add(tool).unwrap();
        let id = begin(&scene).await;
        let meta = if has_begun { json!({"progressToken": 1}) } else { json!({}) };
        let params = json!({"name": "asks", "arguments": {}, "_meta": meta});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let sent = timeout(Duration::from_secs(5), scene.send(post(&id, &call))).await;
        assert_eq!(sent.is_ok(), has_begun);
        drop(sent);
        scene.go.notify_one();
        let asked = timeout(Duration::from_secs(60), said.recv()).await.expect("it goes on");
        assert!(asked.unwrap().unwrap_err().contains("gone"));
    }
}

#[tokio::test]
async fn a_call_that_asks_can_be_answered_and_cancelled_by_a_server_that_is_full() {
    let scene = full_with_one();
    let id = begin(&scene).await;
    let (body, question) = ask(&scene, post(&id, &asking(1, "first"))).await;
    assert_eq!(status(&scene, post(&id, &asking(2, "too many"))).await, 503);
    assert_eq!(status(&scene, post(&id, &answer(&question, "yes"))).await, 202);
    assert_eq!(text(&message(&rest(body).await)), r#"{"said":"yes"}"#);
    let (body, question) = ask(&scene, post(&id, &asking(3, "third"))).await;
    assert_eq!(status(&scene, post(&id, &cancel(3))).await, 202);
    assert_eq!(message(&rest(body).await), withdrawal(&question));
    let (_body, _) = ask(&scene, post(&id, &asking(4, "fourth"))).await;
}

#[tokio::test]
async fn answers_and_cancellations_of_a_batch_are_taken_by_a_server_that_is_full() {
    let scene = full_with_one();
    let id = begin_in(&scene, "2025-03-26").await;
    let mut body = scene.send(post(&id, &call(1, "asks"))).await.into_body();
    let question = message(&frame(&mut body).await.unwrap());
    let yes = answer(&question, "yes");
    assert_eq!(status(&scene, post(&id, &json!([yes, call(2, "asks")]))).await, 503);
    assert_eq!(status(&scene, post(&id, &json!([yes]))).await, 202);
    assert_eq!(text(&message(&rest(body).await)), r#"{"said":"yes"}"#);
    let mut body = scene.send(post(&id, &call(3, "asks"))).await.into_body();
    let question = message(&frame(&mut body).await.unwrap());
    assert_eq!(status(&scene, post(&id, &json!([cancel(3)]))).await, 202);
    assert_eq!(message(&rest(body).await), withdrawal(&question));
    let called = scene.send(post(&id, &call(4, "asks"))).await;
    assert_eq!(called.status(), 200);
}

#[tokio::test(start_paused = true)]
async fn a_question_to_a_client_that_has_gone_fails_after_the_idle_time() {
    let scene = full_with_one();
    let id = begin(&scene).await;
    let response = scene.send(post(&id, &asking(1, "first"))).await;
    let mut body = response.into_body();
    let question = frame(&mut body).await.unwrap();
    let (last, _) = events(&question).pop().unwrap();
    // A user may think about it for any time.
    sleep(10 * HOUR).await;
    assert!(is_silent(&mut body));
    drop(body);
    sleep(HOUR - Duration::from_secs(1)).await;
    assert_eq!(status(&scene, post(&id, &asking(2, "too many"))).await, 503);
    sleep(Duration::from_secs(30)).await;
    let resumed = resume(&scene, &id, &last).await;
    assert!(resumed.contains("notifications/cancelled"), "{resumed}");
    assert!(resumed.contains("the client is gone"), "{resumed}");
    // The call has given up its place.
    let (_body, _) = ask(&scene, post(&id, &asking(2, "second"))).await;
}

/// The client hears of changes, but has given up the response of the call.
#[tokio::test(start_paused = true)]
async fn a_question_whose_response_nobody_reads_fails_while_the_client_listens() {
    let scene = scene(|_| {});
    add_asking(&scene);
    let id = begin(&scene).await;
    let mut of_session = listen(&scene, &id).await;
    let (mut read, _) = ask(&scene, post(&id, &asking(1, "read"))).await;
    let mut body = scene.send(post(&id, &asking(2, "left"))).await.into_body();
    let (last, _) = events(&frame(&mut body).await.unwrap()).pop().unwrap();
    drop(body);
    sleep(HOUR - Duration::from_secs(1)).await;
    // It may be read again in time, and its client may take as long once more.
    let more = format!("Last-Event-ID: {last}\n");
    let body = scene.send(request("GET", &id, &more, "")).await.into_body();
    sleep(HOUR).await;
    drop(body);
    sleep(HOUR + Duration::from_secs(30)).await;
    let resumed = timeout(HOUR, resume(&scene, &id, &last)).await.expect("it has failed");
    assert!(resumed.contains("the client is gone"), "{resumed}");
    assert!(is_silent(&mut read) && is_silent(&mut of_session));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_asks_can_be_answered_while_the_service_closes() {
    let scene = scene(|_| {});
    add_asking(&scene);
    let id = begin(&scene).await;
    let (body, question) = ask(&scene, post(&id, &asking(1, "first"))).await;
    let answers = async {
        let (found, refusal) = scene.ask(post(&id, &asking(2, "late"))).await;
        assert!(found == 503 && refusal.contains("shutting down"), "{refusal}");
        assert_eq!(status(&scene, post(&id, &answer(&question, "yes"))).await, 202);
        rest(body).await
    };
    let ((), rest) = tokio::join!(scene.service.close(Duration::from_secs(60)), answers);
    assert_eq!(text(&message(&rest)), r#"{"said":"yes"}"#);
}

#[tokio::test]
async fn one_session_does_not_answer_the_questions_of_another() {
    let scene = scene(|_| {});
    add_asking(&scene);
    let (id, other) = (begin(&scene).await, begin(&scene).await);
    let (mut body, question) = ask(&scene, post(&id, &asking(1, "mine"))).await;
    assert_eq!(status(&scene, post(&other, &answer(&question, "theirs"))).await, 202);
    assert!(is_silent(&mut body));
    // A call that is cancelled asks no more.
    assert_eq!(status(&scene, post(&id, &cancel(1))).await, 202);
    assert_eq!(message(&rest(body).await), withdrawal(&question));
    assert_eq!(status(&scene, post(&id, &answer(&question, "late"))).await, 202);
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_not() {
    let in_sessions = scene(|_| {});
    let without_streams = Scene::new(|options| {
        options.sessions = Some(crate::http::Sessions::default());
        options.json_only = true;
    });
    let alone = Scene::new(|_| {});
    [&in_sessions, &without_streams, &alone].into_iter().for_each(add_asking);
    let mut json_only = post(&begin(&in_sessions).await, &asking(1, "json"));
    json_only.headers_mut().insert("accept", "application/json".parse().unwrap());
    let of_server = post(&begin(&without_streams).await, &asking(1, "json"));
    let params = json!({"name": "asks", "arguments": {"about": "modern"}});
    for (scene, request) in [
        (&in_sessions, json_only),
        (&without_streams, of_server),
        (&alone, legacy(&asking(1, "alone"))),
        (&alone, modern("tools/call", Some("asks"), &params)),
        (&in_sessions, modern("tools/call", Some("asks"), &params)),
    ] {
        let (found, answer) = scene.ask(request).await;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((found, text(&answer)), (200, "the client cannot be asked"));
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}
