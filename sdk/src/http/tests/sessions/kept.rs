//! What is kept of streams, and for how long.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::super::scene::{Scene, frame, rest};
use super::{begin, call, events, post, resume, scene};
use crate::http::Sessions;
use crate::{Context, Tool};

/// How many streams of a session can be resumed once they are answered.
const MOST_PAST: usize = 1_024;

#[tokio::test(start_paused = true)]
async fn streams_are_forgotten_some_time_after_their_answer() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let mut body = scene.send(post(&id, &call(1, "steps"))).await.into_body();
    let [(begin, _), (half, _)] = events(&frame(&mut body).await.unwrap()).try_into().unwrap();
    drop(body);
    // As long as the call runs, it is known.
    sleep(Duration::from_secs(600)).await;
    scene.go.notify_one();
    let stream = resume(&scene, &id, &begin).await;
    assert_eq!(events(&stream).len(), 3, "{stream}");
    sleep(Duration::from_secs(59)).await;
    assert_eq!(events(&resume(&scene, &id, &half).await).len(), 2);
    sleep(Duration::from_secs(121)).await;
    assert_eq!(resume(&scene, &id, &half).await, "");
}

#[tokio::test]
async fn what_is_kept_of_streams_is_bounded_and_an_answer_is_not_dropped() {
    let talks = || {
        Tool::new("talks", "", json!({"type": "object"}), async |_: Value, cx: Context| {
            for step in 1..=10_000 {
                cx.progress(f64::from(step) / 10_001.0, "step");
            }
            "done"
        })
    };
    for replay in [4_096, 0] {
        let scene = Scene::new(|options| {
            options.sessions = Some(Sessions { replay, ..Sessions::default() });
            options.max_unsent = 4_096;
        });
        scene.registry.add(talks()).unwrap();
        let id = begin(&scene).await;
        let stream = rest(scene.send(post(&id, &call(1, "talks"))).await.into_body()).await;
        let events = events(&stream);
        assert!(stream.len() < 8_192, "{}", stream.len());
        assert_eq!(events.last().unwrap().1, "done");
        assert_eq!(events.iter().all(|(id, _)| id.is_empty()), replay == 0, "{stream}");
        let after = if replay == 0 { "3-0" } else { &events[0].0 };
        assert_eq!(resume(&scene, &id, after).await.is_empty(), replay == 0);
    }
}

#[tokio::test]
async fn an_answer_is_dropped_only_for_other_answers() {
    let scene = scene(|sessions| sessions.replay = 4_096);
    let schema = json!({"type": "object"});
    let talks = Tool::new("talks", "", schema.clone(), async |_: Value, cx: Context| {
        (1..=1_000).for_each(|step| cx.progress(f64::from(step) / 1_001.0, "step"));
        "done"
    });
    let long = Tool::new("long", "", schema, async |_: Value, cx: Context| {
        cx.progress(0.5, "half");
        "x".repeat(1_500)
    });
    scene.registry.add(talks).unwrap();
    scene.registry.add(long).unwrap();
    let id = begin(&scene).await;
    scene.go.notify_one();
    let first = rest(scene.send(post(&id, &call(1, "steps"))).await.into_body()).await;
    let (half, _) = &events(&first)[1];
    rest(scene.send(post(&id, &call(2, "talks"))).await.into_body()).await;
    assert_eq!(events(&resume(&scene, &id, half).await).last().unwrap().1, "done");
    for number in 3..=5 {
        rest(scene.send(post(&id, &call(number, "long"))).await.into_body()).await;
    }
    assert_eq!(resume(&scene, &id, half).await, "");
}

/// Else its client would resume for nothing.
#[tokio::test(start_paused = true)]
async fn an_answer_beyond_the_bound_waits_for_its_own_client() {
    let scene = scene(|sessions| sessions.replay = 4_096);
    let gate = scene.go.clone();
    let long = async move |_: Value, cx: Context| {
        cx.progress(0.5, "half");
        gate.notified().await;
        "x".repeat(10_000)
    };
    scene.registry.add(Tool::new("long", "", json!({"type": "object"}), long)).unwrap();
    let id = begin(&scene).await;
    let mut body = scene.send(post(&id, &call(1, "long"))).await.into_body();
    let (half, _) = events(&frame(&mut body).await.unwrap()).pop().unwrap();
    drop(body);
    scene.go.notify_one();
    // The call is over and nobody reads.
    sleep(Duration::from_millis(1)).await;
    assert_eq!(events(&resume(&scene, &id, &half).await)[0].1.len(), 10_000);
}

#[tokio::test]
async fn only_so_many_streams_are_kept_after_their_answers() {
    let scene = scene(|_| {});
    let id = begin(&scene).await;
    let mut begun = Vec::new();
    for number in 0..=MOST_PAST {
        scene.go.notify_one();
        let body = scene.send(post(&id, &call(number as u64, "steps"))).await.into_body();
        let (first, _) = events(&rest(body).await).swap_remove(0);
        begun.push(first);
    }
    assert_eq!(resume(&scene, &id, &begun[0]).await, "");
    assert_eq!(events(&resume(&scene, &id, &begun[1]).await).len(), 3);
}
