//! Copies of sessions in stores.

use super::*;
use crate::agent::sessions::{InMemoryStore, SessionEntry, SessionKey, SessionStore};

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
