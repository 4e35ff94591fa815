use std::sync::Arc;

use toolwright::agent::sessions::{
    SessionEntry, SessionKey, SessionStore as _, StoredSessions, project_key,
};
use toolwright_fleet::{Database, Leases};

use super::{SESSION, session};
use crate::stores::Postgres;

/// PostgreSQL has no zero byte in a text. A turn that cannot be recorded would be tried for ever.
#[tokio::test]
async fn an_answer_with_a_zero_byte_is_recorded() {
    let Some(postgres) = Postgres::start() else { return };
    let (parameters, leases) = connect(&postgres).await;
    let lease = leases.take(SESSION).await.unwrap().unwrap();
    lease.record("project", 1, SESSION, "a\0b").await.unwrap();
    assert_eq!(postgres.ask(&parameters, "SELECT answer FROM fleet_turns").trim(), "a\u{fffd}b");
}

#[tokio::test]
async fn a_turn_is_done_for_one_prompt() {
    let Some(postgres) = Postgres::start() else { return };
    let (_, leases) = connect(&postgres).await;
    let lease = leases.take(SESSION).await.unwrap().unwrap();
    lease.record("project", 1, &session(1), "Answer.").await.unwrap();
    assert!(lease.has_done(1, &session(1)).await.unwrap());
    assert!(!lease.has_done(1, &session(2)).await.unwrap());
    assert!(!lease.has_done(2, &session(1)).await.unwrap());
}

/// A store that has refused the beginning of a turn may have taken what came after it.
#[tokio::test]
async fn a_turn_is_forgotten_of_which_the_prompt_is_not_stored() {
    let Some(postgres) = Postgres::start() else { return };
    let (parameters, leases) = connect(&postgres).await;
    let (store, key) = (leases.store(), SessionKey::new("project", SESSION));
    let lease = leases.take(SESSION).await.unwrap().unwrap();
    let first = [r#"{"type":"user","uuid":"1"}"#, r#"{"type":"assistant","uuid":"2"}"#];
    store.append(&key, &first.map(|entry| SessionEntry::parse(entry).unwrap())).await.unwrap();
    lease.record("project", 1, &session(1), "Answer.").await.unwrap();
    let late = SessionEntry::parse(r#"{"type":"user","uuid":"4","parentUuid":"3"}"#).unwrap();
    store.append(&key, &[late]).await.unwrap();
    lease.forget("project").await.unwrap();
    let left = "SELECT string_agg(uuid, ' ' ORDER BY number) FROM toolwright_entries";
    assert_eq!(postgres.ask(&parameters, left).trim(), "1 2");
}

/// Somebody has given them to the session after its last turn.
#[tokio::test]
async fn titles_and_tags_are_not_forgotten() {
    let Some(postgres) = Postgres::start() else { return };
    let (_, leases) = connect(&postgres).await;
    let (store, project) = (Arc::new(leases.store()), project_key("/work"));
    let (key, sessions) =
        (SessionKey::new(&*project, SESSION), StoredSessions::of(store.clone(), "/work"));
    let lease = leases.take(SESSION).await.unwrap().unwrap();
    let entry = |text| SessionEntry::parse(text).unwrap();
    let prompt = r#"{"type":"user","uuid":"1","message":{"content":"Prompt."}}"#;
    store.append(&key, &[entry(prompt)]).await.unwrap();
    lease.record(&project, 1, &session(1), "Answer.").await.unwrap();
    sessions.rename_session(SESSION, "Invoice").await.unwrap();
    sessions.tag_session(SESSION, Some("paid")).await.unwrap();
    // What the CLI notes of a turn has no id.
    let noted = r#"{"type":"custom-title","customTitle":"Of the turn"}"#;
    let late = r#"{"type":"user","uuid":"2","parentUuid":"1"}"#;
    store.append(&key, &[noted, late].map(entry)).await.unwrap();
    lease.forget(&project).await.unwrap();
    let info = sessions.session_info(SESSION).await.unwrap().unwrap();
    assert_eq!(info.custom_title.as_deref(), Some("Invoice"));
    assert_eq!(info.tag.as_deref(), Some("paid"));
    assert_eq!(store.load(&key).await.unwrap().unwrap().len(), 3);
}

/// A worker whose machine was paused for so long that PostgreSQL has ended its connections finds
/// that out only later, and another one has its session by then.
#[tokio::test]
async fn a_worker_that_has_lost_its_leases_cannot_write_transcripts() {
    let Some(postgres) = Postgres::start() else { return };
    let (parameters, leases) = connect(&postgres).await;
    let (store, key) = (leases.store(), SessionKey::new("project", SESSION));
    let entry = SessionEntry::parse(r#"{"type":"user"}"#).unwrap();
    store.append(&key, std::slice::from_ref(&entry)).await.unwrap();
    let others = "FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    postgres.ask(&parameters, &format!("SELECT pg_terminate_backend(pid, 60000) {others}"));
    // The first attempt may meet the connection that was ended.
    for _ in 0..2 {
        store.append(&key, std::slice::from_ref(&entry)).await.unwrap_err();
    }
    let count = "SELECT count(*) FROM toolwright_entries";
    assert_eq!(postgres.ask(&parameters, count).trim(), "1");
    drop(leases);
}

/// What the page says is done in one transaction, for all that there is of a session. One that a
/// worker has just gone on with is old until the turn is stored.
#[tokio::test]
async fn old_sessions_are_forgotten_and_others_are_not() {
    let Some(postgres) = Postgres::start() else { return };
    let (parameters, leases) = connect(&postgres).await;
    let store = leases.store();
    for (turn, id) in [(1, session(1)), (2, session(2)), (3, session(3))] {
        let entry = SessionEntry::parse(r#"{"type":"user"}"#).unwrap();
        store.append(&SessionKey::new("project", &*id), &[entry]).await.unwrap();
        let lease = leases.take(&id).await.unwrap().unwrap();
        lease.record("project", turn, &id, "Answer.").await.unwrap();
        lease.release().await.unwrap();
    }
    let old = "UPDATE toolwright_sessions SET mtime = 1 WHERE session_id <>";
    postgres.ask(&parameters, &format!("{old} '{}'", session(2)));
    let _at_work = leases.take(&session(3)).await.unwrap().unwrap();
    let page = include_str!("../../../examples/fleet/README.md");
    let statement = page.split("```sql\n").nth(1).unwrap().split("```").next().unwrap();
    postgres.ask(&parameters, statement);
    for (table, column) in [
        ("toolwright_sessions", "session_id"),
        ("toolwright_entries", "session_id"),
        ("fleet_turns", "session"),
    ] {
        let left = postgres.ask(&parameters, &format!("SELECT {column} FROM {table} ORDER BY 1"));
        assert_eq!(left.trim(), format!("{}\n{}", session(2), session(3)), "{table}");
    }
}

/// A worker's leases in a schema of their own, with the tables of its transcripts.
async fn connect(postgres: &Postgres) -> (String, Leases) {
    let parameters = postgres.schema();
    let leases = Leases::connect(&Database::at(&parameters).unwrap(), "worker").await.unwrap();
    leases.store().create_tables().await.unwrap();
    (parameters, leases)
}
