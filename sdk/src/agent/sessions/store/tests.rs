use std::collections::HashMap;
use std::sync::Mutex;

use super::*;
use crate::testing::store_conformance;

#[tokio::test]
async fn the_store_in_memory_is_one() {
    store_conformance(async || InMemoryStore::default()).await;
}

/// Passes the methods that a store must have on to the one in memory, and adds others.
macro_rules! store_in_memory {
    ($store:ident { $($others:tt)* }) => {
        #[async_trait]
        impl SessionStore for $store {
            async fn append(
                &self,
                key: &SessionKey,
                entries: &[SessionEntry],
            ) -> Result<(), StoreError> {
                self.0.append(key, entries).await
            }

            async fn load(
                &self,
                key: &SessionKey,
            ) -> Result<Option<Vec<SessionEntry>>, StoreError> {
                self.0.load(key).await
            }

            $($others)*
        }
    };
}

/// It has no more methods than it must have.
#[derive(Default)]
struct Least(InMemoryStore);

store_in_memory! { Least {} }

#[tokio::test]
async fn two_methods_are_enough() {
    store_conformance(async || Least::default()).await;
}

/// It loses the first entry of each call.
#[derive(Default)]
struct Forgetful(InMemoryStore);

#[async_trait]
impl SessionStore for Forgetful {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        self.0.append(key, entries.get(1..).unwrap_or_default()).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.0.load(key).await
    }
}

#[tokio::test]
#[should_panic(expected = "entries keep their order")]
async fn a_store_that_loses_entries_is_none() {
    store_conformance(async || Forgetful::default()).await;
}

/// Its times are those of the first entries.
#[derive(Default)]
struct Stopped(InMemoryStore, Mutex<HashMap<(String, String), u64>>);

store_in_memory! { Stopped {
    async fn list_sessions(&self, project: &str) -> Result<Vec<StoredSession>, StoreError> {
        let mut sessions = self.0.list_sessions(project).await?;
        let mut times = self.1.lock().unwrap();
        for session in &mut sessions {
            let place = (project.to_owned(), session.session_id.clone());
            session.mtime = *times.entry(place).or_insert(session.mtime);
        }
        Ok(sessions)
    }
} }

#[tokio::test]
#[should_panic(expected = "the time of a session is that of its last entry")]
async fn a_store_whose_times_stand_still_is_none() {
    store_conformance(async || Stopped::default()).await;
}

/// What subagents say makes a session newer, and not its summary.
#[derive(Default)]
struct Restless(InMemoryStore);

store_in_memory! { Restless {
    async fn list_sessions(&self, project: &str) -> Result<Vec<StoredSession>, StoreError> {
        let mut sessions = self.0.list_sessions(project).await?;
        for session in &mut sessions {
            let subkeys = self.0.list_subkeys(project, &session.session_id).await?;
            session.mtime += u64::from(!subkeys.is_empty());
        }
        Ok(sessions)
    }

    async fn list_session_summaries(
        &self,
        project: &str,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        self.0.list_session_summaries(project).await
    }
} }

#[tokio::test]
#[should_panic(expected = "a summary is as new as its session")]
async fn a_store_whose_sessions_get_newer_than_their_summaries_is_none() {
    store_conformance(async || Restless::default()).await;
}

#[tokio::test]
async fn an_entry_that_comes_twice_is_kept_once() {
    let (store, key) = (InMemoryStore::default(), SessionKey::new("p", "s"));
    let entry = |text: &str| SessionEntry::parse(text).unwrap();
    let known = entry(r#"{"type":"user","uuid":"a"}"#);
    let nameless = entry(r#"{"type":"mode"}"#);
    let batch = [known.clone(), nameless.clone(), known.clone()];
    store.append(&key, &batch).await.unwrap();
    store.append(&key, &batch).await.unwrap();
    let loaded = store.load(&key).await.unwrap().unwrap();
    assert_eq!(loaded, [known, nameless.clone(), nameless]);
}

#[test]
fn an_entry_is_an_object_in_one_line() {
    let entry = SessionEntry::parse("{\n  \"type\": \"x\"\r\n}\n").unwrap();
    assert_eq!(entry.get(), "{   \"type\": \"x\"  }");
    assert_eq!(serde_json::to_string(&[&entry]).unwrap(), format!("[{}]", entry.get()));
    let read: Vec<SessionEntry> = serde_json::from_str("[{\"uuid\":\"\\u00e4\"}]").unwrap();
    assert_eq!(read[0].uuid().unwrap(), "ä");
    for text in ["[]", "1", "{", "{\"a\":tru}", ""] {
        assert!(SessionEntry::parse(text).is_err(), "{text}");
    }
}

#[test]
fn keys_are_shown_as_paths() {
    let key = SessionKey::new("-work", "id");
    assert_eq!(key.to_string(), "-work/id");
    assert_eq!(key.with_subpath("subagents/agent-a").to_string(), "-work/id/subagents/agent-a");
    assert_eq!(
        serde_json::to_string(&key).unwrap(),
        r#"{"project_key":"-work","session_id":"id"}"#
    );
}
