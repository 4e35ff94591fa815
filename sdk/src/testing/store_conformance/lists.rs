//! What a store lists.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::scene::{Methods, append, entry, key, well};
use crate::agent::sessions::{SessionKey, SessionStore, SessionSummary, fold_session_summary};

/// Before this time no test runs: a store that counts seconds has fewer.
const LONG_AGO: u64 = 1_000_000_000_000;

pub(super) async fn ids(store: &dyn SessionStore, project: &str) -> BTreeSet<String> {
    let sessions = well(store.list_sessions(project).await);
    let ids: BTreeSet<_> = sessions.iter().map(|session| session.session_id.clone()).collect();
    assert_eq!(ids.len(), sessions.len(), "a session is listed once: {sessions:?}");
    ids
}

pub(super) async fn sessions_are_listed(store: &dyn SessionStore) {
    for (project, session) in [("proj", "a"), ("proj", "b"), ("other", "c")] {
        append(store, &SessionKey::new(project, session), &[1]).await;
    }
    let contract = "the sessions of a project are listed";
    assert_eq!(ids(store, "proj").await, BTreeSet::from(["a".into(), "b".into()]), "{contract}");
    for session in well(store.list_sessions("proj").await) {
        assert!(session.mtime > LONG_AGO, "times are in milliseconds since 1970: {session:?}");
    }
    assert!(ids(store, "never-appended").await.is_empty(), "{contract}");
}

pub(super) async fn times_are_those_of_the_last_entries(store: &dyn SessionStore) {
    let [first, second] = ["a", "b"].map(|session| SessionKey::new("proj", session));
    append(store, &first, &[1]).await;
    let before = mtime(store, "a").await;
    // Clocks go on for more than a millisecond, which is what times are counted in.
    thread::sleep(Duration::from_millis(2));
    append(store, &second, &[1]).await;
    append(store, &first, &[2]).await;
    let (now, other) = (mtime(store, "a").await, mtime(store, "b").await);
    let contract = "the time of a session is that of its last entry";
    assert!(now >= before.max(other), "{contract}: {before}, then {now}; of another, {other}");
}

async fn mtime(store: &dyn SessionStore, id: &str) -> u64 {
    let sessions = well(store.list_sessions("proj").await);
    let times = sessions.iter().filter(|it| it.session_id == id).map(|it| it.mtime);
    times.max().unwrap_or_default()
}

pub(super) async fn subagents_are_no_sessions(store: &dyn SessionStore) {
    let key = SessionKey::new("proj", "main");
    append(store, &key, &[1]).await;
    append(store, &key.with_subpath("subagents/agent-1"), &[1]).await;
    let listed = ids(store, "proj").await;
    assert_eq!(listed, BTreeSet::from(["main".into()]), "subagents are no sessions");
}

pub(super) async fn summaries_are_kept(store: &dyn SessionStore, has: Methods) {
    let key = SessionKey::new("proj", "summ-sess");
    let titled = |title: &str| entry(json!({"type": "custom-title", "customTitle": title}));
    let timed = |time: &str| entry(json!({"type": "x", "timestamp": time}));
    let first = timed("2024-01-01T00:00:01.000Z");
    well(store.append(&key, &[titled("first"), first.clone()]).await);
    well(store.append(&key, &[titled("second")]).await);
    well(store.append(&SessionKey::new("other", "elsewhere"), &[first]).await);
    let summary = one(store).await;
    assert_eq!(summary.session_id, "summ-sess");
    assert!(summary.mtime > LONG_AGO, "times are in milliseconds since 1970: {summary:?}");
    if has.list_sessions {
        assert_is_fresh(store, &summary).await;
    }
    let more = [titled("first"), timed("2024-01-01T00:00:01.000Z")];
    let expected = fold_session_summary(None, &key, &more);
    let expected = fold_session_summary(Some(&expected), &key, &[titled("second")]);
    assert_eq!(summary.data, expected.data, "a summary is folded, and kept as it is");
    well(store.append(&key.with_subpath("subagents/agent-1"), &[titled("subagent")]).await);
    let after = one(store).await;
    assert_eq!(after.data, summary.data, "subagents do not change a summary");
    if has.list_sessions {
        assert_is_fresh(store, &after).await;
    }
    assert!(well(store.list_session_summaries("never-appended").await).is_empty());
    if has.delete {
        well(store.delete(&key).await);
        let left = well(store.list_session_summaries("proj").await);
        assert!(left.is_empty(), "the summary is deleted with its session: {left:?}");
    }
}

pub(super) async fn a_summary_is_of_what_is_kept(store: &dyn SessionStore) {
    let titled = |uuid: &str, title: &str| {
        entry(json!({"type": "custom-title", "uuid": uuid, "customTitle": title}))
    };
    let (first, second) = (titled("a", "first"), titled("b", "second"));
    well(store.append(&key(), std::slice::from_ref(&first)).await);
    well(store.append(&key(), &[second.clone(), first.clone()]).await);
    well(store.append(&key(), &[first]).await);
    let kept = well(store.load(&key()).await).unwrap_or_default();
    let expected = fold_session_summary(None, &key(), &kept);
    let contract = "a summary is of the entries that are kept";
    assert_eq!(one(store).await.data, expected.data, "{contract}");
}

async fn assert_is_fresh(store: &dyn SessionStore, summary: &SessionSummary) {
    let listed = well(store.list_sessions("proj").await);
    let is_fresh = listed.iter().all(|session| summary.mtime >= session.mtime);
    assert!(is_fresh, "a summary is as new as its session: {summary:?}, {listed:?}");
}

/// The only summary.
async fn one(store: &dyn SessionStore) -> SessionSummary {
    match <[_; 1]>::try_from(well(store.list_session_summaries("proj").await)) {
        Ok([summary]) => summary,
        Err(others) => panic!("there is one summary for each session of a project: {others:?}"),
    }
}

pub(super) async fn subpaths_are_listed(store: &dyn SessionStore) {
    append(store, &key(), &[1]).await;
    let expected =
        ["subagents/agent-1", "subagents/agent-é [100%] ~*", "subagents/workflows/run/agent-2"];
    for subpath in expected {
        append(store, &key().with_subpath(subpath), &[1]).await;
    }
    append(store, &SessionKey::new("proj", "other").with_subpath("subagents/agent-x"), &[1]).await;
    let mut listed = well(store.list_subkeys("proj", "sess").await);
    listed.sort();
    assert_eq!(listed, expected, "the subpaths of a session are listed");
}

pub(super) async fn a_conversation_is_no_subpath(store: &dyn SessionStore) {
    append(store, &key(), &[1]).await;
    for session in ["sess", "never-appended"] {
        let listed = well(store.list_subkeys("proj", session).await);
        assert!(listed.is_empty(), "a conversation is no subpath: {listed:?}");
    }
}
