//! Notifications of the clients' own.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::scene::{Scene, legacy};
use super::sessions::{begin_in, post};
use crate::http::Sessions;

/// A server with or without sessions, and what it hears.
fn hearing(sessions: Option<Sessions>) -> (Scene, Arc<Mutex<Vec<Value>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = heard.clone();
    let hear = move |said, _| hears.lock().unwrap().push(said);
    let scene = Scene::of(
        |registry| registry.on_notification("toy/said", hear),
        |options| options.sessions = sessions,
    );
    (scene, heard)
}

fn said(number: u32) -> Value {
    json!({"jsonrpc": "2.0", "method": "toy/said", "params": {"number": number}})
}

#[tokio::test]
async fn those_of_clients_with_a_session_are_heard_alone_and_in_batches() {
    let (scene, heard) = hearing(Some(Sessions::default()));
    let id = begin_in(&scene, "2025-03-26").await;
    for message in [said(1), json!([said(2), said(3)])] {
        assert_eq!(scene.ask(post(&id, &message)).await.0, 202);
    }
    let numbers: Vec<_> = heard.lock().unwrap().iter().map(|said| said["number"].clone()).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

#[tokio::test]
async fn those_of_clients_without_a_session_are_not_heard() {
    let (scene, heard) = hearing(None);
    for message in [said(1), json!([said(2), said(3)])] {
        let mut request = legacy(&message);
        request.headers_mut().insert("mcp-protocol-version", "2025-03-26".parse().unwrap());
        assert_eq!(scene.ask(request).await.0, 202);
    }
    assert_eq!(*heard.lock().unwrap(), [] as [Value; 0]);
}
