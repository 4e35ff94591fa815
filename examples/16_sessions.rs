//! Keeps conversations in SQLite, in a session store of its own.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use toolwright::agent::sessions::{Fork, SessionEntry, SessionKey, SessionStore};
use toolwright::agent::sessions::{StoreError, StoredSessions, project_key};
use toolwright::agent::{AgentOptions, async_trait};
use toolwright::testing::store_conformance;

struct Sqlite(Mutex<Connection>);

fn open() -> Sqlite {
    let db = Connection::open_in_memory().expect("a database in memory opens");
    let table = "CREATE TABLE entry (key, uuid, json, UNIQUE (key, uuid))";
    db.execute(table, ()).expect("a new database takes a table");
    Sqlite(db.into())
}

#[async_trait]
impl SessionStore for Sqlite {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        let mut db = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = db.transaction().map_err(StoreError::failed)?;
        for entry in entries {
            let row = (key.to_string(), entry.uuid(), entry.get());
            let added = all.execute("INSERT OR IGNORE INTO entry VALUES (?1, ?2, ?3)", row);
            added.map_err(StoreError::failed)?;
        }
        all.commit().map_err(StoreError::failed)
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        let db = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sql = "SELECT '[' || group_concat(json) || ']' FROM
            (SELECT json FROM entry WHERE key = ?1 ORDER BY rowid)";
        let text = db.query_row(sql, [key.to_string()], |row| row.get::<_, Option<String>>(0));
        let entries = text.map_err(StoreError::failed)?.map(|text| serde_json::from_str(&text));
        entries.transpose().map_err(StoreError::failed)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    store_conformance(async || open()).await;
    let store = Arc::new(open());
    // Runs with these options store what is said, and `resume` goes on with it on any machine.
    let _options = AgentOptions::builder().cwd("/").session_store(store.clone()).build()?;
    let id = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21"; // Was said by such a run.
    let said = r#"{"type": "user", "uuid": "1", "message": {"role": "user", "content": "Hi!"}}"#;
    store.append(&SessionKey::new(project_key("/"), id), &[SessionEntry::parse(said)?]).await?;

    let sessions = StoredSessions::of(store, "/");
    let copy = sessions.fork_session(id, Fork::whole().title("Another way")).await?;
    println!("{}", sessions.session_info(&copy).await?.unwrap_or_default().summary);
    println!("{}", sessions.session_messages(&copy, ..).await?[0].message);
    Ok(())
}
