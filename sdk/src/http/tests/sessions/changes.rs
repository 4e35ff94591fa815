//! Changes that a client has not read.

use serde_json::{Value, json};

use super::super::scene::{Heard, Scene, frame, is_silent};
use super::{add_tool, begin, call, is_changed, listen, post, scene, status};
use crate::http::{Options, Service, Sessions};
use crate::{Context, Resource, Tool, ToolRegistry};

/// A session that keeps little, whose client listens and has subscribed to a note.
async fn subscribed() -> (Scene, String, Heard) {
    let note = Resource::new("toy://note", "note", "A note.", async |_, _| "text");
    let registry = ToolRegistry::builder("notes").tools([]).resources([note]).build().unwrap();
    let sessions = Sessions { replay: 4_096, ..Sessions::default() };
    let options = Options { sessions: Some(sessions), ..Options::default() };
    let service = Service::with(registry.clone(), options);
    let scene = Scene { service, registry, ..scene(|_| {}) };
    let id = begin(&scene).await;
    let subscribe = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe",
        "params": {"uri": "toy://note"}});
    assert!(!scene.ask(post(&id, &subscribe)).await.1.contains("error"));
    let stream = listen(&scene, &id).await;
    (scene, id, stream)
}

/// The client reads one change of the tools, and one of the note.
async fn hears_of_both(stream: &mut Heard) {
    let unread = frame(stream).await.unwrap();
    assert_eq!(unread.matches("tools/list_changed").count(), 1, "{unread}");
    assert_eq!(unread.matches("resources/updated").count(), 1, "{unread}");
}

#[tokio::test]
async fn a_change_is_not_lost_to_other_changes_while_the_client_does_not_read() {
    let (scene, _, mut stream) = subscribed().await;
    add_tool(&scene, "new");
    (0..1_000).for_each(|_| scene.registry.resource_updated("toy://note"));
    hears_of_both(&mut stream).await;
    // What comes after the client has read is news.
    scene.registry.resource_updated("toy://note");
    assert!(frame(&mut stream).await.unwrap().contains("resources/updated"));
}

#[tokio::test]
async fn a_change_is_not_lost_to_a_large_answer() {
    let (scene, id, mut stream) = subscribed().await;
    let large = async |_: Value, _: Context| "x".repeat(10_000);
    scene.registry.add(Tool::new("large", "", json!({"type": "object"}), large)).unwrap();
    scene.registry.resource_updated("toy://note");
    assert_eq!(status(&scene, post(&id, &call(1, "large"))).await, 200);
    hears_of_both(&mut stream).await;
}

#[tokio::test]
async fn a_change_is_not_lost_to_notifications_of_the_servers_own() {
    let (scene, _, mut stream) = subscribed().await;
    add_tool(&scene, "new");
    for _ in 0..100 {
        scene.registry.notify("notifications/toy/event", json!({"a": "x".repeat(100)})).unwrap();
    }
    scene.registry.resource_updated("toy://note");
    hears_of_both(&mut stream).await;
}

#[tokio::test]
async fn a_change_that_nobody_has_read_goes_to_the_stream_that_is_left() {
    let (scene, id, stream) = subscribed().await;
    add_tool(&scene, "new");
    // The client connects again before the server knows that the other connection is dead.
    let mut other = listen(&scene, &id).await;
    assert!(is_silent(&mut other));
    drop(stream);
    assert!(is_changed(frame(&mut other).await));
    assert!(is_silent(&mut other));
}
