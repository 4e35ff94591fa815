use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::agent::sessions::tests::{ID, said};
use crate::agent::sessions::{
    Fork, InMemoryStore, SessionKey, SessionMessage, SessionStore, StoredSessions, project,
};

/// A message that says its id.
fn message(id: &str, parent: Option<&str>) -> Value {
    said("user", id, parent, id)
}

fn entry(value: &Value) -> SessionEntry {
    SessionEntry::parse(&value.to_string()).unwrap()
}

/// Messages of which each follows the one with the number before.
fn messages(numbers: &[u8]) -> Vec<SessionEntry> {
    let parent = |number: &u8| (*number > 1).then(|| (number - 1).to_string());
    let message = |number: &u8| entry(&message(&number.to_string(), parent(number).as_deref()));
    numbers.iter().map(message).collect()
}

/// A store that has taken these messages, of a session and of its subagent, in this order.
async fn stored(numbers: &[u8]) -> StoredSessions {
    let (store, key) = (InMemoryStore::default(), SessionKey::new(project::project_key("/"), ID));
    for key in [key.with_subpath("subagents/agent-a"), key] {
        store.append(&key, &messages(numbers)).await.unwrap();
    }
    StoredSessions::of(Arc::new(store), "/")
}

fn texts(messages: &[SessionMessage]) -> Vec<Value> {
    messages.iter().map(|message| message.message.to_value()["content"].clone()).collect()
}

#[tokio::test]
async fn a_subagent_has_also_what_a_store_has_taken_late() {
    for numbers in [[1, 2, 5, 6, 3, 4], [5, 6, 1, 2, 3, 4], [3, 4, 5, 6, 1, 2]] {
        let sessions = stored(&numbers).await;
        let messages = sessions.subagent_messages(ID, "a", ..).await.unwrap();
        assert_eq!(texts(&messages), ["1", "2", "3", "4", "5", "6"], "{numbers:?}");
    }
}

#[tokio::test]
async fn a_session_has_the_time_of_its_latest_entry() {
    let (store, key) = (InMemoryStore::default(), SessionKey::new(project::project_key("/"), ID));
    let at = |second: u8| {
        let mut message = message(&second.to_string(), None);
        message["timestamp"] = format!("1970-01-01T00:00:0{second}Z").into();
        entry(&message)
    };
    store.append(&key, &[1, 2, 5, 6, 3, 4].map(at)).await.unwrap();
    let info = StoredSessions::of(Arc::new(store), "/").session_info(ID).await.unwrap();
    assert_eq!(info.unwrap().last_modified, 6_000);
}

#[tokio::test]
async fn a_copy_has_also_what_a_store_has_taken_late() {
    let sessions = stored(&[1, 2, 5, 6, 3, 4]).await;
    for last in [4, 6] {
        let copy = sessions.fork_session(ID, Fork::up_to(last.to_string())).await.unwrap();
        let copied = sessions.session_messages(&copy, ..).await.unwrap();
        assert_eq!(texts(&copied), &["1", "2", "3", "4", "5", "6"][..last]);
    }
}

/// The first, the third and then the second turn of a session. In the second one the model has
/// called two tools at once, so that nothing follows the result of the first call.
fn with_a_late_turn() -> Vec<SessionEntry> {
    let call = |id: &str, parent, call: &str| {
        let mut said = said("assistant", id, Some(parent), "");
        said["message"]["id"] = "answer".into();
        said["message"]["content"] = json!([{"type": "tool_use", "id": call}]);
        said
    };
    let result = |id: &str, parent, call: &str| {
        let mut said = said("user", id, Some(parent), "");
        said["message"]["content"] = json!([{"type": "tool_result", "tool_use_id": call}]);
        said
    };
    let entries = [
        said("user", "u1", None, "u1"),
        said("assistant", "b1", Some("u1"), "b1"),
        said("user", "u3", Some("b2"), "u3"),
        said("assistant", "b3", Some("u3"), "b3"),
        said("user", "u2", Some("b1"), "u2"),
        call("a1", "u2", "call 1"),
        call("a2", "a1", "call 2"),
        result("r1", "a1", "call 1"),
        result("r2", "a2", "call 2"),
        said("assistant", "b2", Some("r2"), "b2"),
    ];
    entries.iter().map(entry).collect()
}

fn ids(entries: &[SessionEntry]) -> Vec<String> {
    entries.iter().map(|entry| entry.uuid().unwrap().into_owned()).collect()
}

const IN_ORDER: [&str; 10] = ["u1", "b1", "u2", "a1", "a2", "r1", "r2", "b2", "u3", "b3"];

#[tokio::test]
async fn a_turn_that_a_store_has_taken_late_is_not_the_last() {
    let (store, key) = (Arc::<InMemoryStore>::default(), SessionKey::new("-", ID));
    store.append(&key, &with_a_late_turn()).await.unwrap();
    let sessions = StoredSessions::of(store.clone(), "/");
    let messages = sessions.session_messages(ID, ..).await.unwrap();
    let read: HashSet<_> = messages.iter().map(|message| &*message.uuid).collect();
    assert_eq!(read, HashSet::from(IN_ORDER));
    assert_eq!(messages.last().unwrap().uuid, "b3");
    for fork in [Fork::whole(), Fork::up_to("b3")] {
        let copy = sessions.fork_session(ID, fork).await.unwrap();
        let copied = sessions.session_messages(&copy, ..).await.unwrap();
        assert_eq!(texts(&copied), texts(&messages));
        let copied = store.load(&SessionKey::new("-", copy)).await.unwrap().unwrap();
        let text = copied[9].text("timestamp").unwrap();
        assert_ne!(text, "2026-01-02T03:04:05.678Z", "the last is the newest");
    }
}

#[test]
fn what_follows_no_further_comes_with_its_turn() {
    assert_eq!(ids(&in_order(&with_a_late_turn())), IN_ORDER);
    // Two turns that come late, with the one between them.
    let follow = |pairs: &[(&str, Option<&str>)]| -> Vec<_> {
        pairs.iter().map(|(id, parent)| entry(&message(id, *parent))).collect()
    };
    let entries = follow(&[
        ("5", Some("4")),
        ("1", None),
        ("end of 1", Some("1")),
        ("2", Some("1")),
        ("6", Some("5")),
        ("end of 6", Some("6")),
        ("7", Some("6")),
        ("3", Some("2")),
        ("end of 3", Some("3")),
        ("4", Some("3")),
        ("end of 4", Some("4")),
    ]);
    let expected =
        ["1", "end of 1", "2", "3", "end of 3", "4", "5", "6", "end of 6", "7", "end of 4"];
    assert_eq!(ids(&in_order(&entries)), expected);
}

#[test]
fn an_entry_comes_behind_the_one_that_it_follows() {
    for numbers in [[1, 2, 3, 4], [1, 3, 4, 2], [3, 4, 1, 2], [4, 3, 2, 1]] {
        assert_eq!(in_order(&messages(&numbers)), messages(&[1, 2, 3, 4]));
    }
    let boundary = json!({"type": "system", "uuid": "b", "parentUuid": null,
        "logicalParentUuid": "a"});
    let [boundary, title] = [boundary, json!({"type": "custom-title", "customTitle": "t"})];
    let [first, summary] = [message("a", None), message("s", Some("b"))];
    let [first, boundary, summary, title] = [first, boundary, summary, title].map(|it| entry(&it));
    let expected = [&first, &boundary, &summary, &title].map(Clone::clone);
    assert_eq!(in_order(&[summary, boundary, title, first]), expected);
}

#[test]
fn what_follows_nothing_that_comes_later_stays() {
    let entries = [
        json!({"type": "mode", "mode": "x"}),
        message("a", Some("missing")),
        message("b", Some("a")),
        json!({"type": "tag", "tag": "t"}),
        // Another way, a way in circles, and one that comes twice.
        message("x", Some("a")),
        message("c", Some("c")),
        message("b", Some("a")),
        message("d", Some("b")),
    ];
    let entries = entries.map(|it| entry(&it));
    assert_eq!(in_order(&entries), entries);
    let circle = ["a", "b"].map(|id| entry(&message(id, Some(if id == "a" { "b" } else { "a" }))));
    assert_eq!(in_order(&circle), [circle[1].clone(), circle[0].clone()]);
}
