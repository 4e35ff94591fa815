//! What goes to which stream, and what a client can resume.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::super::scene::{Heard, Scene, frame, is_silent, rest};
use super::{
    HOUR, add_tool, begin, begin_in, call, events, is_changed, listen, ping, post, request, resume,
    scene, status,
};
use crate::http::{EventStream, Sessions};
use crate::{Context, NotifyError, Tool};

#[tokio::test]
async fn a_change_goes_to_one_open_stream() {
    let scene = scene(|_| {});
    let (id, other) = (begin(&scene).await, begin(&scene).await);
    // No stream is open.
    add_tool(&scene, "early");
    let mut streams = [listen(&scene, &id).await, listen(&scene, &id).await];
    let mut of_other = listen(&scene, &other).await;
    let calling = scene.send(post(&id, &call(1, "steps"))).await;
    let mut of_call = calling.into_body();
    frame(&mut of_call).await.unwrap();
    assert!(streams.iter_mut().all(is_silent));
    add_tool(&scene, "late");
    assert!(is_changed(frame(&mut of_other).await));
    let silent: Vec<_> = streams.iter_mut().map(is_silent_or_changed).collect();
    // The connection of an older one may be dead.
    assert_eq!(silent, [false, true]);
    assert!(is_silent(&mut of_call));
    // When that stream has gone, the other one hears of the next change.
    let [first, second] = streams;
    let (mut left, gone) = if silent[0] { (second, first) } else { (first, second) };
    drop(gone);
    add_tool(&scene, "later");
    assert!(is_changed(frame(&mut left).await));
}

/// False if the stream has nothing, true if it has a change.
fn is_silent_or_changed(body: &mut Heard) -> bool {
    use http_body::Body as _;
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::Pin::new(body).poll_frame(&mut cx) {
        std::task::Poll::Pending => false,
        std::task::Poll::Ready(frame) => {
            let bytes = frame.unwrap().unwrap().into_data().unwrap();
            assert!(is_changed(Some(String::from_utf8(bytes.to_vec()).unwrap())));
            true
        }
    }
}

#[tokio::test]
async fn a_kept_context_reaches_its_own_client_until_the_session_ends() {
    let scene = scene(|_| {});
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeps = kept.clone();
    let keep = async move |_: Value, cx: Context| keeps.lock().unwrap().push(cx);
    scene.registry.add(Tool::new("keep", "", json!({"type": "object"}), keep)).unwrap();
    let (id, other) = (begin(&scene).await, begin(&scene).await);
    let (mut stream, mut of_other) = (listen(&scene, &id).await, listen(&scene, &other).await);
    assert_eq!(scene.ask(post(&id, &call(1, "keep"))).await.0, 200);
    let cx: Context = kept.lock().unwrap().pop().unwrap();
    // As the call has ended, this is dropped.
    assert_eq!(cx.notify("notifications/toy/of_call", ()), Ok(()));
    assert_eq!(cx.notify_session("notifications/toy/later", json!({"a": 1})), Ok(()));
    assert!(frame(&mut stream).await.unwrap().contains("notifications/toy/later"));
    assert!(is_silent(&mut stream) && is_silent(&mut of_other));
    assert_eq!(status(&scene, request("DELETE", &id, "", "")).await, 200);
    // The end of its stream.
    assert_eq!(rest(stream).await, "");
    let refused = cx.notify_session("notifications/toy/later", ());
    assert_eq!(refused, Err(NotifyError::Closed));
}

#[tokio::test]
async fn a_stream_that_is_cut_resumes_after_its_last_event() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let mut body = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    let first = frame(&mut body).await.unwrap();
    let (primed, _) = first.split_once("\n\n").unwrap();
    let stream = primed.strip_prefix("id: ").unwrap().split_once("-0\n").unwrap().0;
    assert_eq!(primed, format!("id: {stream}-0\nretry: 3000\ndata:"));
    assert_eq!(events(&first)[1], (format!("{stream}-1"), "half".into()));
    // Nothing is lost whether the answer comes before the client or after it.
    drop(body);
    assert_eq!(ping(&scene, &id).await, 200);
    scene.go.notify_one();
    let at = |position: usize| format!("{stream}-{position}");
    let all: Vec<_> =
        ["half", "more", "done"].iter().zip(1..).map(|(text, n)| (at(n), (*text).into())).collect();
    assert_eq!(events(&resume(&scene, &id, &at(0)).await), all);
    assert_eq!(events(&resume(&scene, &id, &at(1)).await), all[1..]);
    assert_eq!(events(&resume(&scene, &id, &at(2)).await), all[2..]);
    assert_eq!(events(&resume(&scene, &id, &at(3)).await), []);
    assert_eq!(events(&resume(&scene, &id, &at(usize::MAX)).await), []);
}

/// SEP-1699: the client polls.
#[tokio::test]
async fn a_tool_may_end_the_response_while_it_goes_on() {
    let scene = scene(|_| {});
    let (gate, over) = (scene.go.clone(), Arc::new(Notify::new()));
    let after = over.clone();
    let closes = async move |_: Value, cx: Context| {
        let stream = cx.extension::<EventStream>();
        let closed = || stream.map_or("none".to_owned(), |stream| stream.close().to_string());
        let first = closed();
        gate.notified().await;
        cx.progress(0.5, "half");
        let second = closed();
        gate.notified().await;
        let third = closed();
        after.notify_one();
        format!("{first} {second} {third}")
    };
    scene.registry.add(Tool::new("closes", "", json!({"type": "object"}), closes)).unwrap();
    let id = begin(&scene).await;
    // It closes before the response has begun.
    let first = rest(scene.send(post(&id, &call(1, "closes"))).await.into_body()).await;
    let (stream, _) = first.strip_prefix("id: ").unwrap().split_once('-').unwrap();
    assert_eq!(first, format!("id: {stream}-0\nretry: 3000\ndata:\n\n"));
    let more = format!("Last-Event-ID: {stream}-0\n");
    let mut body = scene.send(request("GET", &id, &more, "")).await.into_body();
    assert_eq!(frame(&mut body).await.unwrap(), ":\n\n");
    scene.go.notify_one();
    assert_eq!(events(&rest(body).await), [(format!("{stream}-1"), "half".to_owned())]);
    // Nobody reads it now.
    scene.go.notify_one();
    over.notified().await;
    let last = resume(&scene, &id, &format!("{stream}-1")).await;
    let answer = (format!("{stream}-2"), "true true false".to_owned());
    assert_eq!(events(&last), [answer]);

    // An older client would take the end for a failure.
    let id = begin_in(&scene, "2025-06-18").await;
    scene.go.notify_one();
    let stream = scene.send(post(&id, &call(1, "closes"))).await.into_body();
    let (stream, ()) = tokio::join!(rest(stream), async { scene.go.notify_one() });
    assert_eq!(events(&stream).last().unwrap().1, "false false false");

    // One without a session cannot resume it.
    scene.go.notify_one();
    let call = super::super::scene::call("closes", &json!({}));
    let stream = scene.send(call).await.into_body();
    let (stream, ()) = tokio::join!(rest(stream), async { scene.go.notify_one() });
    assert_eq!(events(&stream).last().unwrap().1, "none none none");
}

/// A tool that ends its response, waits, and says whether it could.
fn closes(scene: &Scene) -> Tool {
    let gate = scene.go.clone();
    Tool::new("closes", "", json!({"type": "object"}), async move |_: Value, cx: Context| {
        let is_closed = cx.extension::<EventStream>().is_some_and(|stream| stream.close());
        gate.notified().await;
        is_closed.to_string()
    })
}

#[tokio::test(start_paused = true)]
async fn a_response_that_a_tool_ends_need_not_have_begun() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.stream_after = Duration::MAX;
    });
    scene.registry.add(closes(&scene)).unwrap();
    let id = begin(&scene).await;
    let whole = async { rest(scene.send(post(&id, &call(1, "closes"))).await.into_body()).await };
    let whole = timeout(Duration::from_secs(1), whole).await.expect("it ends at once");
    let (stream, _) = whole.strip_prefix("id: ").unwrap().split_once('-').unwrap();
    assert_eq!(whole, format!("id: {stream}-0\nretry: 3000\ndata:\n\n"));
    scene.go.notify_one();
    let answer = (format!("{stream}-1"), "true".to_owned());
    assert_eq!(events(&resume(&scene, &id, &format!("{stream}-0")).await), [answer]);
}

#[tokio::test]
async fn a_response_that_is_no_stream_does_not_end_before_its_answer() {
    for json_only in [true, false] {
        let scene = Scene::new(|options| {
            options.sessions = Some(Sessions::default());
            options.json_only = json_only;
        });
        scene.registry.add(closes(&scene)).unwrap();
        let id = begin(&scene).await;
        let mut request = post(&id, &call(1, "closes"));
        if !json_only {
            request.headers_mut().insert("accept", "application/json".parse().unwrap());
        }
        scene.go.notify_one();
        let (status, answer) = scene.ask(request).await;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((status, &answer["result"]["content"][0]["text"]), (200, &json!("false")));
    }
}

#[tokio::test]
async fn a_client_that_resumes_takes_the_place_of_its_former_stream() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let mut body = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    let first = frame(&mut body).await.unwrap();
    let (last, _) = events(&first).pop().unwrap();
    let resumed = resume(&scene, &id, &last);
    let ended = async {
        let left = rest(body).await;
        scene.go.notify_one();
        left
    };
    let (resumed, left) = tokio::join!(resumed, ended);
    assert_eq!(left, "");
    let texts: Vec<_> = events(&resumed).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["more", "done"]);
}

#[tokio::test(start_paused = true)]
async fn the_former_stream_ends_as_soon_as_its_client_resumes_it() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let mut body = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    let (last, _) = events(&frame(&mut body).await.unwrap()).pop().unwrap();
    let former = tokio::spawn(rest(body));
    tokio::task::yield_now().await;
    let more = format!("Last-Event-ID: {last}\n");
    let _resumed = scene.send(request("GET", &id, &more, "")).await;
    let left = tokio::time::timeout(std::time::Duration::from_secs(1), former).await;
    assert_eq!(left.unwrap().unwrap(), "");
}

#[tokio::test]
async fn a_stream_resumes_though_the_server_is_full_or_stops() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.max_requests = 1;
    });
    let id = begin(&scene).await;
    let mut body = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    let (half, _) = events(&frame(&mut body).await.unwrap()).pop().unwrap();
    drop(body);
    let resumes = || request("GET", &id, &format!("Last-Event-ID: {half}\n"), "");
    // The call has its place, which is none for another request.
    for _ in 0..2 {
        assert_eq!(status(&scene, resumes()).await, 200);
        assert_eq!(
            (ping(&scene, &id).await, status(&scene, request("GET", &id, "", "")).await),
            (503, 503)
        );
    }
    let ends = async {
        let mut body = scene.send(resumes()).await.into_body();
        assert_eq!(frame(&mut body).await.unwrap(), ":\n\n");
        scene.go.notify_one();
        rest(body).await
    };
    let ((), stream) = tokio::join!(scene.service.close(HOUR), ends);
    assert_eq!(events(&stream).last().unwrap().1, "done");
}

#[tokio::test]
async fn a_stream_that_is_not_known_is_empty() {
    let scene = scene(|_| {});
    let (id, other) = (begin(&scene).await, begin(&scene).await);
    let mut body = scene.send(post(&other, &call(1, "steps"))).await.into_body();
    let (foreign, _) = events(&frame(&mut body).await.unwrap()).pop().unwrap();
    for after in ["99-1", "1", "", "a-b", "1-2-3", "-1-1", "18446744073709551616-0", &foreign] {
        assert_eq!(resume(&scene, &id, after).await, "", "{after}");
    }
    // That of another session goes on.
    scene.go.notify_one();
    assert_eq!(events(&rest(body).await).last().unwrap().1, "done");
}

#[tokio::test]
async fn an_event_of_another_replica_resumes_no_stream_of_this_one() {
    let [one, other] = [(); 2].map(|()| scene(|sessions| sessions.key = Some([7; 32])));
    let id = begin(&one).await;
    let mut of_one = one.send(post(&id, &call(1, "steps"))).await.into_body();
    let (foreign, _) = events(&frame(&mut of_one).await.unwrap()).pop().unwrap();
    // As many requests as the handshake has, so that both calls have the same place.
    assert_eq!([ping(&other, &id).await, ping(&other, &id).await], [200; 2]);
    let mut of_other = other.send(post(&id, &call(2, "steps"))).await.into_body();
    frame(&mut of_other).await.unwrap();
    other.go.notify_one();
    assert_eq!(resume(&other, &id, &foreign).await, "");
    assert_eq!(events(&rest(of_other).await).last().unwrap().1, "done");
}

#[tokio::test]
async fn events_of_the_servers_own_reach_the_open_stream_although_they_are_alike() {
    let scene = scene(|_| {});
    let (id, other) = (begin(&scene).await, begin(&scene).await);
    let notify = || scene.registry.notify("notifications/toy/event", json!({"content": "a"}));
    // No stream is open.
    notify().unwrap();
    let (mut stream, mut of_other) = (listen(&scene, &id).await, listen(&scene, &other).await);
    notify().unwrap();
    notify().unwrap();
    for stream in [&mut stream, &mut of_other] {
        let heard = frame(stream).await.unwrap();
        assert_eq!(heard.matches(r#""params":{"content":"a"}"#).count(), 2, "{heard}");
    }
}

#[tokio::test]
async fn clients_of_older_revisions_get_no_event_without_a_message() {
    for version in ["2025-03-26", "2025-06-18"] {
        let scene = scene(|_| {});
        let id = begin_in(&scene, version).await;
        scene.go.notify_one();
        let stream = rest(scene.send(post(&id, &call(1, "steps"))).await.into_body()).await;
        let events = events(&stream);
        let texts: Vec<_> = events.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["half", "more", "done"], "{version}");
        assert!(events[0].0.ends_with("-1"), "{stream}");
    }
}
