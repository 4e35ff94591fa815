//! The states that sessions have for themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::super::scene::{Scene, call as modern_call};
use super::{begin, call, post, request};
use crate::http::Sessions;
use crate::{Context, Tool};

/// Counts the calls of a session, and the drops of all.
struct Counter {
    calls: AtomicUsize,
    drops: Arc<AtomicUsize>,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_session_has_a_state_of_its_own_until_it_ends() {
    let drops = Arc::new(AtomicUsize::new(0));
    let counted = drops.clone();
    let make = move || Counter { calls: 0.into(), drops: counted.clone() };
    let schema = json!({"type": "object"});
    let count = Tool::new("count", "", schema, async |_: Value, cx: Context| {
        let counter = cx.extension::<Counter>().unwrap();
        format!("number {}", counter.calls.fetch_add(1, Ordering::SeqCst))
    });
    let scene = Scene::of(
        |registry| registry.tool(count).session_state(make),
        |options| options.sessions = Some(Sessions::default()),
    );
    let (id, other) = (begin(&scene).await, begin(&scene).await);
    for (id, expected) in [(&id, 0), (&id, 1), (&other, 0), (&id, 2)] {
        let (_, answer) = scene.ask(post(id, &call(1, "count"))).await;
        assert!(answer.contains(&format!("number {expected}")), "{answer}");
    }
    let before = drops.load(Ordering::SeqCst);
    assert_eq!(scene.ask(request("DELETE", &id, "", "")).await.0, 200);
    assert_eq!(drops.load(Ordering::SeqCst), before + 1);
    // Since 2026-07-28 a request has no session.
    for number in 2..4 {
        let (_, answer) = scene.ask(modern_call("count", &json!({}))).await;
        assert!(answer.contains("number 0"), "{answer}");
        assert_eq!(drops.load(Ordering::SeqCst), before + number);
    }
}
