//! Under which keys a store gets what the CLI writes.

use super::*;
use crate::agent::sessions::project_key;

/// With one entry, of a file in the folder of this project.
fn frame_in(project: &str, file: &str, uuid: &str) -> String {
    let path = format!("/home/u/.claude/projects/{project}/{file}.jsonl");
    json!({"filePath": path, "entries": [{"type": "user", "uuid": uuid}]}).to_string()
}

#[test]
fn a_path_that_no_file_has_is_none_of_a_transcript() {
    let path = |length: usize| {
        let folder = format!("/home/u/.claude/projects/-work/{ID}/subagents/");
        format!("{folder}{:x<1$}.jsonl", "", length - folder.len() - ".jsonl".len())
    };
    assert!(SessionKey::of_file(&path(4096)).is_some());
    assert!(SessionKey::of_file(&path(4097)).is_none());
}

#[test]
fn only_transcripts_have_keys() {
    let of = |path: &str| SessionKey::of_file(path).map(|key| key.to_string());
    let base = "/projects/x/.claude/projects/-work";
    assert_eq!(of(&format!("{base}/{ID}.jsonl")), Some(format!("-work/{ID}")));
    let agent = format!("{ID}/subagents/workflows/run/agent-x");
    assert_eq!(of(&format!("{base}/{agent}.jsonl")), Some(format!("-work/{agent}")));
    // A program can give the folder of its project any name.
    for file in [ID, &*agent] {
        let path = format!("/h/.claude/projects/projects/{file}.jsonl");
        assert_eq!(of(&path), Some(format!("projects/{file}")));
    }
    for other in ["name.jsonl".into(), format!("{ID}.json"), format!("{ID}/x.jsonl")] {
        assert_eq!(of(&format!("{base}/{other}")), None, "{other}");
    }
}

#[tokio::test]
async fn what_the_cli_writes_into_a_folder_with_another_hash_has_the_key_of_the_project() {
    let folder = format!("/{}", "long/".repeat(60));
    let key = SessionKey::new(project_key(&folder), ID);
    let other = SessionKey::new("-work", ID.replace('6', "7"));
    let store = Arc::new(InMemoryStore::default());
    let mirror = Mirror::start(store.clone(), key.project_key.clone(), false);
    let theirs = format!("{}1x2y3z", &key.project_key[..201]);
    for (project, id, uuid) in [(&*theirs, ID, "a"), ("-work", &other.session_id, "b")] {
        mirror.take(&frame_in(project, id, uuid));
    }
    mirror.flushed().await;
    for (key, uuid) in [(key, "a"), (other, "b")] {
        let stored = store.load(&key).await.unwrap().unwrap();
        assert_eq!(stored[0].uuid().as_deref(), Some(uuid));
    }
}

/// The CLI moves the transcript when its working folder changes, and mirrors nothing again.
#[tokio::test]
async fn a_session_that_moves_to_another_folder_stays_in_one_place_in_the_store() {
    let (store, agent) = (Slow::new(9, 0), format!("{ID}/subagents/agent-x"));
    let mirror = start(store.clone(), false);
    mirror.take(&frame_in("-work", ID, "a"));
    mirror.take(&frame_in("-new", ID, "b"));
    mirror.take(&frame_in("-new", &agent, "s"));
    let later = ID.replace('6', "7");
    mirror.take(&frame_in("-new", &later, "c"));
    mirror.flushed().await;
    assert_eq!(store.uuids(&key()).await, ["a", "b"]);
    assert_eq!(store.uuids(&key().with_subpath("subagents/agent-x")).await, ["s"]);
    assert_eq!(store.uuids(&SessionKey::new("-new", later)).await, ["c"], "begun there");
}

/// It is where it was when the run before has moved.
#[tokio::test]
async fn a_resumed_session_goes_on_where_it_was_loaded() {
    let store = Slow::new(9, 0);
    let options = AgentOptions::builder().cwd("/").session_store(store.clone()).resume(ID);
    let mirror = Mirror::of(&options.build().unwrap()).unwrap();
    mirror.take(&frame_in("-new", ID, "a"));
    mirror.flushed().await;
    assert_eq!(store.uuids(&SessionKey::new("-", ID)).await, ["a"]);
}
