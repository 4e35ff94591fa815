//! What every session store must do.

mod lists;
mod scene;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use self::scene::{Methods, append, assert_has, entry, has, key, well};
use crate::agent::sessions::{SessionEntry, SessionKey, SessionStore};

/// Checks that a store of your own does what a [`SessionStore`] must: the 14 contracts of the
/// official SDKs, that the time of a session is that of its last entry, and that its summary is of
/// the entries that are kept of it.
///
/// ```
/// use toolwright::agent::sessions::InMemoryStore;
/// use toolwright::testing::store_conformance;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// store_conformance(async || InMemoryStore::default()).await;
/// # }
/// ```
///
/// `make_store` is called for each contract and makes an empty store, for example with a prefix or
/// a table of its own. Methods that the store does not have are not checked.
///
/// # Panics
///
/// The store breaks a contract, or fails.
pub async fn store_conformance<S: SessionStore>(make_store: impl AsyncFn() -> S) {
    let store = make_store().await;
    let has = Methods {
        list_sessions: has(store.list_sessions("none").await),
        list_session_summaries: has(store.list_session_summaries("none").await),
        list_subkeys: has(store.list_subkeys("none", "none").await),
        delete: has(store.delete(&SessionKey::new("none", "none")).await),
    };
    entries_keep_their_order(&make_store().await).await;
    an_unknown_key_has_no_entries(&make_store().await).await;
    later_entries_come_behind(&make_store().await).await;
    no_entries_change_nothing(&make_store().await).await;
    subpaths_have_entries_of_their_own(&make_store().await).await;
    projects_have_entries_of_their_own(&make_store().await, has).await;
    if has.list_sessions {
        lists::sessions_are_listed(&make_store().await).await;
        lists::times_are_those_of_the_last_entries(&make_store().await).await;
        lists::subagents_are_no_sessions(&make_store().await).await;
    }
    if has.list_session_summaries {
        lists::summaries_are_kept(&make_store().await, has).await;
        lists::a_summary_is_of_what_is_kept(&make_store().await).await;
    }
    if has.delete {
        what_is_deleted_is_gone(&make_store().await).await;
        subagents_are_deleted_with_their_session(&make_store().await, has).await;
        a_subagent_is_deleted_alone(&make_store().await, has).await;
    }
    if has.list_subkeys {
        lists::subpaths_are_listed(&make_store().await).await;
        lists::a_conversation_is_no_subpath(&make_store().await).await;
    }
}

async fn entries_keep_their_order(store: &dyn SessionStore) {
    append(store, &key(), &[7, 3, 5]).await;
    let odd = entry(json!({
        "type": "user", "é\n\"": [null, true, -1, 0.1, 1e300, "\u{0}\u{1f600}"], "z": {"a": {}},
    }));
    let odd_key = SessionKey::new("proj", "odd");
    well(store.append(&odd_key, std::slice::from_ref(&odd)).await);
    assert_has("entries keep their order", store.load(&key()).await, Some(&[7, 3, 5]));
    let loaded = well(store.load(&odd_key).await).unwrap_or_default();
    let value = |entry: &SessionEntry| entry.decode::<Value>().unwrap_or_default();
    let loaded: Vec<_> = loaded.iter().map(value).collect();
    assert_eq!(loaded, [value(&odd)], "an entry keeps its value");
}

async fn an_unknown_key_has_no_entries(store: &dyn SessionStore) {
    let contract = "an unknown key has no entries";
    assert_has(contract, store.load(&SessionKey::new("proj", "nope")).await, None);
    append(store, &key(), &[1]).await;
    assert_has(contract, store.load(&key().with_subpath("nope")).await, None);
}

async fn later_entries_come_behind(store: &dyn SessionStore) {
    for numbers in [&[9][..], &[1, 5], &[2]] {
        append(store, &key(), numbers).await;
    }
    assert_has("later entries come behind", store.load(&key()).await, Some(&[9, 1, 5, 2]));
}

async fn no_entries_change_nothing(store: &dyn SessionStore) {
    append(store, &key(), &[1]).await;
    append(store, &key(), &[]).await;
    assert_has("no entries change nothing", store.load(&key()).await, Some(&[1]));
}

async fn subpaths_have_entries_of_their_own(store: &dyn SessionStore) {
    let sub = key().with_subpath("subagents/agent-1");
    append(store, &key(), &[1]).await;
    append(store, &sub, &[2]).await;
    let contract = "subpaths have entries of their own";
    assert_has(contract, store.load(&key()).await, Some(&[1]));
    assert_has(contract, store.load(&sub).await, Some(&[2]));
}

async fn projects_have_entries_of_their_own(store: &dyn SessionStore, has: Methods) {
    for (project, number) in [("A", 1), ("B", 2)] {
        append(store, &SessionKey::new(project, "s1"), &[number]).await;
    }
    for (project, number) in [("A", 1), ("B", 2)] {
        let contract = "projects have entries of their own";
        let loaded = store.load(&SessionKey::new(project, "s1")).await;
        assert_has(contract, loaded, Some(&[number]));
        if has.list_sessions {
            assert_eq!(well(store.list_sessions(project).await).len(), 1, "{contract}");
        }
    }
}

async fn what_is_deleted_is_gone(store: &dyn SessionStore) {
    well(store.delete(&SessionKey::new("proj", "never-written")).await);
    append(store, &key(), &[1]).await;
    well(store.delete(&key()).await);
    assert_has("what is deleted is gone", store.load(&key()).await, None);
}

async fn subagents_are_deleted_with_their_session(store: &dyn SessionStore, has: Methods) {
    let contract = "subagents are deleted with their session, and nothing else";
    let subs = ["subagents/agent-1", "subagents/agent-2"].map(|sub| key().with_subpath(sub));
    let others = [SessionKey::new("proj", "sess2"), SessionKey::new("other-proj", "sess")];
    for key in [&key()].into_iter().chain(&subs).chain(&others) {
        append(store, key, &[1]).await;
    }
    well(store.delete(&key()).await);
    for key in [&key()].into_iter().chain(&subs) {
        assert_has(contract, store.load(key).await, None);
    }
    for key in &others {
        assert_has(contract, store.load(key).await, Some(&[1]));
    }
    if has.list_subkeys {
        assert!(well(store.list_subkeys("proj", "sess").await).is_empty(), "{contract}");
    }
    if has.list_sessions {
        assert_eq!(lists::ids(store, "proj").await, BTreeSet::from(["sess2".into()]), "{contract}");
    }
}

async fn a_subagent_is_deleted_alone(store: &dyn SessionStore, has: Methods) {
    let contract = "a subagent is deleted alone";
    let [one, two] = ["subagents/agent-1", "subagents/agent-2"].map(|sub| key().with_subpath(sub));
    for key in [&key(), &one, &two] {
        append(store, key, &[1]).await;
    }
    well(store.delete(&one).await);
    assert_has(contract, store.load(&one).await, None);
    assert_has(contract, store.load(&two).await, Some(&[1]));
    assert_has(contract, store.load(&key()).await, Some(&[1]));
    if has.list_subkeys {
        let left = well(store.list_subkeys("proj", "sess").await);
        assert_eq!(left, ["subagents/agent-2"], "{contract}");
    }
}
