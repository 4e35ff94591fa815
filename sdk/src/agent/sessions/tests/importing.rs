//! Copies of sessions in stores.

use std::sync::Arc;

use async_trait::async_trait;

use super::*;
use crate::agent::sessions::{
    InMemoryStore, SessionEntry, SessionKey, SessionStore, StoreError, StoredSessions,
};

#[tokio::test]
async fn a_session_that_has_moved_is_imported_to_where_the_store_has_it() {
    let home = Home::new();
    let mut first = said("user", "a", None, "First");
    first["cwd"] = "/nowhere/first".into();
    let lines = [
        first,
        said("assistant", "b", Some("a"), "Second"),
        json!({"type": "relocated", "relocatedCwd": "/nowhere/last", "sessionId": ID}),
    ];
    home.write(&format!("-nowhere-last/{ID}.jsonl"), &lines);
    home.write(&format!("-nowhere-last/{ID}/subagents/agent-a.jsonl"), &lines);
    let [first, last] = ["-nowhere-first", "-nowhere-last"];
    for (begun, expected) in [(&[first][..], first), (&[], last), (&[first, last], last)] {
        let store = InMemoryStore::default();
        for project in begun {
            let first = SessionEntry::parse(&lines[0].to_string()).unwrap();
            store.append(&SessionKey::new(*project, ID), &[first]).await.unwrap();
        }
        home.sessions().import_session_to_store(ID, &store).await.unwrap();
        let key = SessionKey::new(expected, ID);
        let mut keys = store.keys();
        keys.retain(|key| key.project_key == expected);
        assert_eq!(keys, [key.clone(), key.with_subpath("subagents/agent-a")]);
        assert_eq!(store.load(&key).await.unwrap().unwrap().len(), 3);
    }
}

/// A store of values, not of texts: the members of an object come in another order.
#[derive(Default)]
struct Reordered(InMemoryStore);

fn reordered(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            members.into_iter().rev().map(|(name, value)| (name, reordered(value))).collect()
        }
        value => value,
    }
}

#[async_trait]
impl SessionStore for Reordered {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        self.0.append(key, entries).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        let entry = |entry: &SessionEntry| {
            let value = reordered(entry.decode().unwrap());
            SessionEntry::parse(&value.to_string()).unwrap()
        };
        Ok(self.0.load(key).await?.map(|entries| entries.iter().map(entry).collect()))
    }
}

#[tokio::test]
async fn an_import_into_a_store_of_values_can_be_repeated() {
    let (home, store) = (Home::new(), Arc::<Reordered>::default());
    let title = json!({"type": "custom-title", "customTitle": "Old", "sessionId": ID});
    home.write(&format!("-p/{ID}.jsonl"), &[said("user", "a", None, "Hi"), title]);
    let agent = format!("-p/{ID}/subagents/agent-a");
    home.write(&format!("{agent}.jsonl"), &[said("user", "s", None, "Do")]);
    home.write(&format!("{agent}.meta.json"), &[json!({"toolUseId": "t", "x": {"a": 1, "b": 2}})]);
    let (files, stored) = (home.sessions(), StoredSessions::of(store.clone(), "/p"));
    files.import_session_to_store(ID, &*store).await.unwrap();
    stored.rename_session(ID, "New").await.unwrap();
    files.import_session_to_store(ID, &*store).await.unwrap();
    let info = stored.session_info(ID).await.unwrap().unwrap();
    assert_eq!(info.custom_title.as_deref(), Some("New"));
    let agent = SessionKey::new("-p", ID).with_subpath("subagents/agent-a");
    assert_eq!(store.load(&agent).await.unwrap().unwrap().len(), 2);
}
