//! The Python SDK reads the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Value, json};
use toolwright::agent::sessions::{
    Fork, InMemoryStore, SessionError, SessionMessage, Sessions, StoredSessions, project_key,
};

use super::made::Made;
use crate::cli::Folder;
use crate::peers::{installed, peer};

#[tokio::test]
async fn the_python_sdk_reads_the_same() {
    let Some(python) = installed(peer("sdk-python/.venv/bin/python")) else { return };
    let folder = Folder::create();
    let (config, project) = (folder.path().join("config"), folder.path().join("my.project"));
    worktrees(&project, &folder.path().join("second tree"));
    let mut made = Made::new();
    for path in [&project, &folder.path().join("second tree"), Path::new("/elsewhere")] {
        made.sessions(&config.join("projects").join(project_key(path)), 40);
    }
    let sessions = Sessions::at(&config);
    change(&sessions);
    times(&config.join("projects"));
    let output = Command::new(python)
        .arg(peer("sdk-python/sessions.py"))
        .arg(&project)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("CLAUDE_CONFIG_DIR", &config)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ids: Vec<_> = expected["files"]["info"].as_object().unwrap().keys().collect();
    assert!(ids.len() > 120, "{}", ids.len());
    assert_same("files", &files(&sessions, &project, &ids), &expected["files"]);
    assert_same("store", &store(&config, &project, &ids).await, &expected["store"]);
}

/// A repository with a second worktree.
fn worktrees(first: &Path, second: &Path) {
    fs::create_dir(first).unwrap();
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
        let output = Command::new("git").current_dir(first).args(identity).args(args).output();
        assert!(output.unwrap().status.success(), "{args:?}");
    };
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "first"]);
    git(&["worktree", "add", "--quiet", "--detach", second.to_str().unwrap()]);
}

/// Gives each transcript a time of its own: those of one time may come in any order.
fn times(projects: &Path) {
    let folders = fs::read_dir(projects).unwrap().map(|folder| folder.unwrap().path());
    let paths = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = paths.map(|path| path.unwrap().path()).filter(|path| path.is_file());
    for (number, path) in paths.enumerate() {
        let time = UNIX_EPOCH + Duration::from_secs(1_700_000_000 + number as u64);
        File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }
}

/// What this library writes is read by both.
fn change(sessions: &Sessions) {
    for info in sessions.list_sessions(..12).unwrap() {
        let id = &info.session_id;
        sessions.rename_session(id, " Renamed ä \"x\" ").unwrap();
        sessions.tag_session(id, Some("new tag")).unwrap();
        match sessions.fork_session(id, Fork::whole()) {
            Ok(_) | Err(SessionError::NoMessages { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn files(sessions: &Sessions, project: &Path, ids: &[&String]) -> Value {
    let here = sessions.in_project(project);
    let read = |id: &str, from, to| found(sessions.session_messages(id, from..to));
    let agents = |id: &str| -> BTreeMap<String, Vec<SessionMessage>> {
        let agents = found(sessions.list_subagents(id)).into_iter();
        agents
            .map(|agent| (agent.clone(), sessions.subagent_messages(id, &agent, ..).unwrap()))
            .collect()
    };
    json!({
        "all": sessions.list_sessions(..).unwrap(),
        "page": sessions.list_sessions(3..8).unwrap(),
        "project": here.list_sessions(..).unwrap(),
        "alone": here.without_worktrees().list_sessions(..).unwrap(),
        "info": each(ids, |id| found(sessions.session_info(id))),
        "messages": each(ids, |id| read(id, 0, usize::MAX)),
        "some": each(ids, |id| read(id, 2, 5)),
        "agents": each(ids, agents),
    })
}

async fn store(config: &Path, project: &Path, ids: &[&String]) -> Value {
    let store = Arc::new(InMemoryStore::default());
    let here = Sessions::at(config).in_project(project);
    for id in ids {
        // The Python SDK imports no others.
        if is_whole(config, id) {
            let _ = here.import_session_to_store(id, &*store).await;
        }
    }
    let stored = StoredSessions::of(store, project);
    let mut list = stored.list_sessions(..).await.unwrap();
    list.sort_by(|a, b| a.session_id.cmp(&b.session_id));
    let mut messages = BTreeMap::new();
    for info in &mut list {
        info.last_modified = 0;
        let id = &info.session_id;
        messages.insert(id.clone(), stored.session_messages(id, ..).await.unwrap());
    }
    json!({"list": list, "messages": messages})
}

/// Whether each line of a transcript is an object, with an id of its own: of entries with one id
/// this library keeps one in a store, the Python SDK all.
fn is_whole(config: &Path, id: &str) -> bool {
    let folders = fs::read_dir(config.join("projects")).unwrap();
    let paths = folders.map(|folder| folder.unwrap().path().join(format!("{id}.jsonl")));
    let text = paths.filter_map(|path| fs::read_to_string(path).ok()).next().unwrap();
    let mut uuids = BTreeSet::new();
    text.lines().all(|line| {
        let entry: Value = serde_json::from_str(line).unwrap_or_default();
        let is_new = entry["uuid"].as_str().is_none_or(|uuid| uuids.insert(uuid.to_owned()));
        entry.is_object() && is_new
    })
}

fn each<T: Serialize>(ids: &[&String], of: impl Fn(&str) -> T) -> Value {
    ids.iter().map(|id| ((*id).clone(), json!(of(id)))).collect()
}

/// What is missing is empty in the Python SDK.
fn found<T: Default>(result: Result<T, SessionError>) -> T {
    match result {
        Ok(value) => value,
        Err(SessionError::NotFound { .. }) => T::default(),
        Err(error) => panic!("{error}"),
    }
}

/// Names the first difference, as the whole is long.
fn assert_same(place: &str, ours: &Value, theirs: &Value) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let names = |object: &serde_json::Map<String, Value>| {
                object.keys().cloned().collect::<BTreeSet<_>>()
            };
            assert_eq!(names(ours), names(theirs), "{place}");
            for (name, value) in ours {
                assert_same(&format!("{place}/{name}"), value, &theirs[name]);
            }
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            assert_eq!(ours.len(), theirs.len(), "{place}: {ours:#?} {theirs:#?}");
            for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                assert_same(&format!("{place}/{at}"), ours, theirs);
            }
        }
        _ => assert_eq!(ours, theirs, "{place}"),
    }
}
