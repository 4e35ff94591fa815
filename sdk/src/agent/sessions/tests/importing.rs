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
    let begun = SessionKey::new("-nowhere-first", ID);
    for (is_there, project) in [(true, "-nowhere-first"), (false, "-nowhere-last")] {
        let store = InMemoryStore::default();
        if is_there {
            let first = SessionEntry::parse(&lines[0].to_string()).unwrap();
            store.append(&begun, &[first]).await.unwrap();
        }
        home.sessions().import_session_to_store(ID, &store).await.unwrap();
        let key = SessionKey::new(project, ID);
        assert_eq!(store.keys(), [key.clone(), key.with_subpath("subagents/agent-a")]);
        assert_eq!(store.load(&key).await.unwrap().unwrap().len(), 3);
    }
}
