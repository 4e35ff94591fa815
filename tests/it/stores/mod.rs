//! Stores of sessions, on the real servers.

mod bucket;
mod death;
mod moto;
mod plain;
mod postgres;
mod redis;
mod server;

use std::sync::Arc;

pub(crate) use death::Mortal;
pub(crate) use moto::Moto;
pub(crate) use postgres::Postgres;
use serde_json::json;
pub(crate) use server::Server;
use tokio::task::JoinSet;
use toolwright::agent::sessions::{
    SessionEntry, SessionKey, SessionStore, StoreError, StoredSessions, project_key,
};

fn entry(uuid: &str) -> SessionEntry {
    let entry = json!({
        "type": "user", "uuid": uuid, "timestamp": "2026-01-02T03:04:05.678Z",
        "customTitle": uuid, "message": {"content": "Hello"},
    });
    SessionEntry::parse(&entry.to_string()).unwrap()
}

/// Several programs write into one session at the same time, and some of it twice.
async fn writers_do_not_disturb_each_other(stores: Vec<Arc<dyn SessionStore>>) {
    const ID: &str = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";
    let key = SessionKey::new(project_key("/"), ID);
    let mut writers = JoinSet::new();
    for (writer, store) in stores.iter().cloned().enumerate() {
        let key = key.clone();
        writers.spawn(async move {
            for number in 0..20 {
                let entry = entry(&format!("{writer}-{number}"));
                store.append(&key, std::slice::from_ref(&entry)).await.unwrap();
                store.append(&key, &[entry]).await.unwrap();
            }
        });
    }
    while let Some(writer) = writers.join_next().await {
        writer.unwrap();
    }
    let store = stores[0].clone();
    let loaded = store.load(&key).await.unwrap().unwrap();
    let uuids: Vec<_> = loaded.iter().map(|entry| entry.uuid().unwrap().into_owned()).collect();
    for writer in 0..stores.len() {
        let own = uuids.iter().filter(|uuid| uuid.starts_with(&format!("{writer}-")));
        let expected: Vec<_> = (0..20).map(|number| format!("{writer}-{number}")).collect();
        assert_eq!(own.cloned().collect::<Vec<_>>(), expected, "in order, and once");
    }
    let sessions = StoredSessions::of(store.clone(), "/");
    let list = sessions.list_sessions(..).await.unwrap();
    let title = list[0].custom_title.as_deref().unwrap();
    assert!(title.ends_with("-19"), "the last title counts: {title}");
    match store.list_session_summaries(&key.project_key).await {
        Ok(summaries) => assert_eq!(summaries.len(), 1),
        Err(error) => assert!(matches!(error, StoreError::Unsupported { .. }), "{error}"),
    }
}
