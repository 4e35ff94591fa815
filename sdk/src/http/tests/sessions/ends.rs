//! How sessions end: by their clients, by time, at bounds, with the service; and how they come
//! back.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::yield_now;
use tokio::time::{advance, sleep};

use super::super::scene::{Scene, frame, is_silent, rest};
use super::{
    HOUR, add_tool, begin, begin_in, call, cancel, events, initialize, initialized, is_changed,
    listen, ping, post, request, resume, scene, status,
};
use crate::Tool;
use crate::http::{Auth, AuthError, Caller, Sessions};

#[tokio::test]
async fn a_deleted_session_is_gone_with_its_streams() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let stream = listen(&scene, &id).await;
    let mut calling = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    frame(&mut calling).await.unwrap();
    assert_eq!(scene.ask(request("DELETE", &id, "", "")).await, (200, String::new()));
    assert_eq!(rest(stream).await, "");
    // The call has an answer, as a client may wait for it.
    let answer = rest(calling).await;
    assert!(answer.contains(r#""isError":true"#), "{answer}");
    assert!(answer.contains("was stopped: its session has ended"), "{answer}");
    assert_eq!(ping(&scene, &id).await, 404);
    assert_eq!(scene.service.sessions(), 0);
}

#[tokio::test]
async fn a_session_is_revived_by_its_key() {
    let [one, other] = [(); 2].map(|()| scene(|sessions| sessions.key = Some([7; 32])));
    let foreign = scene(|sessions| sessions.key = Some([8; 32]));
    let without = scene(|_| {});
    let id = begin_in(&one, "2025-06-18").await;
    for (scene, status) in [(&other, 200), (&foreign, 404), (&without, 404)] {
        assert_eq!(ping(scene, &id).await, status);
    }
    // It is a whole session there: in its revision, and it hears of changes.
    let mut stream = listen(&other, &id).await;
    let tool =
        Tool::new("new", "", json!({"type": "object"}), async |_: Value, _| "").with_title("New");
    other.registry.add(tool).unwrap();
    assert!(is_changed(frame(&mut stream).await));
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert!(other.ask(post(&id, &list)).await.1.contains(r#""title":"New""#));
    // A client that has ended it cannot have it back; a replica that does not know of that may.
    assert_eq!(status(&other, request("DELETE", &id, "", "")).await, 200);
    assert_eq!(ping(&other, &id).await, 404);
    assert_eq!(status(&other, request("DELETE", &id, "", "")).await, 404);
    assert_eq!(ping(&one, &id).await, 200);
    // Ended where it was not known.
    let unknown = begin(&one).await;
    assert_eq!(status(&other, request("DELETE", &unknown, "", "")).await, 200);
    assert_eq!(ping(&other, &unknown).await, 404);
    let changed = id.replace("06-18", "11-25");
    assert_eq!(ping(&one, &changed).await, 404);
}

#[tokio::test(start_paused = true)]
async fn a_session_hears_of_changes_where_it_listens_wherever_its_handshake_ended() {
    let [one, other] = [(); 2].map(|()| scene(|sessions| sessions.key = Some([7; 32])));
    let response = one.send(post("", &initialize("2025-11-25"))).await;
    let id = response.headers()["mcp-session-id"].to_str().unwrap();
    assert_eq!(status(&other, post(id, &initialized())).await, 202);
    // A client may open another stream, and still hears of each change once.
    drop(listen(&one, id).await);
    let mut stream = listen(&one, id).await;
    add_tool(&one, "new");
    assert!(is_changed(frame(&mut stream).await));
    assert!(is_silent(&mut stream));
}

#[tokio::test]
async fn ids_of_deleted_sessions_are_bounded() {
    let scene = scene(|sessions| sessions.key = Some([7; 32]));
    let first = begin(&scene).await;
    assert_eq!(status(&scene, request("DELETE", &first, "", "")).await, 200);
    for _ in 0..4_096 {
        let response = scene.send(post("", &initialize("2025-11-25"))).await;
        let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        assert_eq!(status(&scene, request("DELETE", &id, "", "")).await, 200);
    }
    assert_eq!(ping(&scene, &first).await, 200);
}

#[tokio::test]
async fn sessions_that_are_never_deleted_are_bounded() {
    let scene = scene(|sessions| sessions.max = 100);
    let (first, listening, calling) =
        (begin(&scene).await, begin(&scene).await, begin(&scene).await);
    let _stream = listen(&scene, &listening).await;
    let mut steps = scene.send(post(&calling, &call(1, "steps"))).await.into_body();
    frame(&mut steps).await.unwrap();
    let abandoned = begin(&scene).await;
    for number in 0..10_000 {
        let response = scene.send(post("", &initialize("2025-11-25"))).await;
        assert!(response.headers().contains_key("mcp-session-id"));
        // One that is used stays.
        if number % 50 == 0 {
            assert_eq!(ping(&scene, &first).await, 200);
        }
    }
    assert_eq!(scene.service.sessions(), 100);
    assert_eq!(ping(&scene, &abandoned).await, 404);
    for id in [&first, &listening, &calling] {
        assert_eq!(ping(&scene, id).await, 200);
    }
    scene.go.notify_one();
    assert_eq!(events(&rest(steps).await).last().unwrap().1, "done");
}

#[tokio::test]
async fn what_a_client_says_of_itself_is_bounded() {
    let scene = scene(|_| {});
    for member in ["clientInfo", "capabilities"] {
        for (length, is_kept) in [(60 * 1024, true), (64 * 1024, false), (3 << 20, false)] {
            let before = scene.service.sessions();
            let mut message = initialize("2025-11-25");
            message["params"][member]["experimental"] = json!({"x": "x".repeat(length)});
            let response = scene.send(post("", &message)).await;
            assert_eq!(response.headers().contains_key("mcp-session-id"), is_kept, "{length}");
            assert_eq!(scene.service.sessions() - before, usize::from(is_kept), "{length}");
            let answer: Value = serde_json::from_str(&rest(response.into_body()).await).unwrap();
            let code = answer["error"]["code"].as_i64();
            assert_eq!(code, (!is_kept).then_some(-32602), "{member} {length}");
        }
    }
}

#[tokio::test]
async fn at_the_cap_a_running_call_goes_last() {
    let scene = scene(|sessions| sessions.max = 2);
    let (calling, listening) = (begin(&scene).await, begin(&scene).await);
    // Its client has gone, but the call runs.
    drop(scene.send(post(&calling, &call(1, "steps"))).await);
    let stream = listen(&scene, &listening).await;
    let third = begin(&scene).await;
    assert_eq!(rest(stream).await, "");
    assert_eq!(ping(&scene, &listening).await, 404);
    let fourth = begin(&scene).await;
    assert_eq!(ping(&scene, &third).await, 404);
    for id in [&calling, &fourth] {
        assert_eq!(ping(&scene, id).await, 200);
    }
}

#[tokio::test(start_paused = true)]
async fn idle_time_counts_without_calls_and_open_streams_only() {
    let scene = scene(|_| {});
    let (idle, used) = (begin(&scene).await, begin(&scene).await);
    let (calling, gone) = (begin(&scene).await, begin(&scene).await);
    let listening = begin(&scene).await;
    let _stream = listen(&scene, &listening).await;
    let _waits = scene.send(post(&calling, &call(1, "waits"))).await;
    // Its client has gone, but the call runs.
    drop(scene.send(post(&gone, &call(1, "waits"))).await);
    advance(HOUR / 2).await;
    assert_eq!(ping(&scene, &used).await, 200);
    advance(HOUR / 2).await;
    assert_eq!(ping(&scene, &idle).await, 404);
    assert_eq!(ping(&scene, &used).await, 200);
    sleep(10 * HOUR).await;
    assert_eq!(ping(&scene, &used).await, 404);
    for id in [&calling, &gone, &listening] {
        assert_eq!(ping(&scene, id).await, 200);
    }
    // From the end of the call on.
    assert_eq!(scene.ask(post(&gone, &cancel(1))).await.0, 202);
    sleep(HOUR - Duration::from_secs(1)).await;
    assert_eq!(ping(&scene, &gone).await, 200);
    sleep(HOUR).await;
    assert_eq!(ping(&scene, &gone).await, 404);
}

#[tokio::test(start_paused = true)]
async fn sessions_that_have_expired_leave_without_a_request() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let (stream, _other) = (listen(&scene, &id).await, begin(&scene).await);
    sleep(2 * HOUR).await;
    assert_eq!(scene.service.sessions(), 1);
    drop(stream);
    sleep(2 * HOUR).await;
    assert_eq!(scene.service.sessions(), 0);
    assert_eq!(ping(&scene, &id).await, 404);
    // The look for them begins again with the next session.
    let id = begin(&scene).await;
    sleep(2 * HOUR).await;
    assert_eq!((scene.service.sessions(), ping(&scene, &id).await), (0, 404));
}

#[test]
fn sessions_expire_although_the_runtime_of_the_first_one_has_ended() {
    let scene = scene(|_| {});
    let runtime =
        || Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime().block_on(begin(&scene));
    runtime().block_on(async {
        begin(&scene).await;
        sleep(2 * HOUR).await;
    });
    assert_eq!(scene.service.sessions(), 0);
}

#[tokio::test]
async fn open_streams_are_bounded() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.max_listeners = 1;
    });
    let id = begin(&scene).await;
    let stream = listen(&scene, &id).await;
    assert_eq!(status(&scene, request("GET", &id, "", "")).await, 503);
    drop(stream);
    listen(&scene, &id).await;
}

#[tokio::test]
async fn open_streams_leave_room_for_requests() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.max_requests = 1;
    });
    let id = begin(&scene).await;
    let stream = listen(&scene, &id).await;
    assert_eq!(ping(&scene, &id).await, 200);
    let ((), ended) = tokio::join!(scene.service.close(HOUR), rest(stream));
    assert_eq!(ended, "");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_closes_ends_streams_and_gives_calls_their_grace() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let stream = listen(&scene, &id).await;
    let mut calling = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    frame(&mut calling).await.unwrap();
    let mut waiting = scene.send(post(&id, &call(2, "waits"))).await.into_body();
    frame(&mut waiting).await.unwrap();
    let steps = async {
        assert_eq!(rest(stream).await, "");
        scene.go.notify_one();
        rest(calling).await
    };
    let closes = scene.service.close(Duration::from_secs(5));
    let (steps, waits, ()) = tokio::join!(steps, rest(waiting), closes);
    assert_eq!(events(&steps).last().unwrap().1, "done");
    assert!(waits.contains(r#""isError":true"#), "{waits}");
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
    assert_eq!(ping(&scene, &id).await, 503);
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_session_without_a_client_is_counted_and_stopped_with_the_service() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.max_requests = 1;
    });
    let id = begin(&scene).await;
    // A call that is answered or cancelled gives up its place, even if nobody reads its stream.
    scene.go.notify_one();
    drop(scene.send(post(&id, &call(1, "steps"))).await);
    yield_now().await;
    drop(scene.send(post(&id, &call(2, "waits"))).await);
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 1);
    assert_eq!(status(&scene, post(&id, &call(3, "echo"))).await, 503);
    scene.service.close(Duration::from_secs(5)).await;
    yield_now().await;
    assert_eq!(scene.waiting.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn times_that_never_end_are_options() {
    let scene = Scene::new(|options| {
        options.keep_alive = Duration::MAX;
        options.stream_after = Duration::MAX;
        options.body_timeout = Duration::MAX;
        options.sessions = Some(Sessions {
            idle: Duration::MAX,
            replay_for: Duration::MAX,
            ..Sessions::default()
        });
    });
    let id = begin(&scene).await;
    let mut stream = listen(&scene, &id).await;
    for name in ["one", "other"] {
        assert!(is_silent(&mut stream));
        add_tool(&scene, name);
        assert!(is_changed(frame(&mut stream).await));
    }
    let mut steps = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    let begun = events(&frame(&mut steps).await.unwrap());
    drop((steps, stream));
    scene.go.notify_one();
    sleep(10_000 * HOUR).await;
    let resumed = events(&resume(&scene, &id, &begun.last().unwrap().0).await);
    assert_eq!(resumed.last().unwrap().1, "done");
    scene.service.close(Duration::MAX).await;
}

/// The token is the subject.
async fn subject(token: String) -> Result<Caller, AuthError> {
    Ok(Caller::new(token))
}

#[tokio::test]
async fn a_session_belongs_to_the_subject_of_its_token() {
    for key in [None, Some([7; 32])] {
        let [one, other] = [(); 2].map(|()| {
            Scene::new(|options| {
                options.sessions = Some(Sessions { key, ..Sessions::default() });
                let auth = Auth::new("https://notes.example.com/mcp", subject).unwrap();
                options.auth = Some(auth.authorization_server("https://login.example.com"));
            })
        });
        let of = |mut request: http::Request<String>, user: &str| {
            let token = format!("Bearer {user}").parse().unwrap();
            request.headers_mut().insert("authorization", token);
            request
        };
        let begun = one.send(of(post("", &initialize("2025-11-25")), "ann")).await;
        let id = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let ping = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
        for scene in [&one, &other] {
            assert_eq!(status(scene, of(post(&id, &ping), "bob")).await, 404);
            assert_eq!(status(scene, of(request("GET", &id, "", ""), "bob")).await, 404);
            assert_eq!(status(scene, of(request("DELETE", &id, "", ""), "bob")).await, 404);
            assert_eq!(status(scene, post(&id, &ping)).await, 401);
        }
        assert_eq!(status(&one, of(post(&id, &ping), "ann")).await, 200);
        let revived = if key.is_some() { 200 } else { 404 };
        assert_eq!(status(&other, of(post(&id, &ping), "ann")).await, revived);
    }
}

#[tokio::test]
async fn a_session_belongs_to_whom_a_layer_has_found() {
    let scene = Scene::new(|options| options.sessions = Some(Sessions::default()));
    let of = |mut request: http::Request<String>, user: &str| {
        request.extensions_mut().insert(Caller::new(user));
        request
    };
    let begun = scene.send(of(post("", &initialize("2025-11-25")), "ann")).await;
    let id = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let ping = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
    assert_eq!(status(&scene, of(post(&id, &ping), "bob")).await, 404);
    assert_eq!(status(&scene, of(request("DELETE", &id, "", ""), "bob")).await, 404);
    assert_eq!(status(&scene, post(&id, &ping)).await, 404);
    assert_eq!(status(&scene, of(post(&id, &ping), "ann")).await, 200);
}
