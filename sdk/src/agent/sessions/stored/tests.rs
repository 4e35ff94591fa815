use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::json;

use super::*;
use crate::agent::sessions::tests::{Home, ID, said};
use crate::agent::sessions::{Fork, InMemoryStore, Sessions, StoredSession};

/// A session with a subagent in files, and its copy in a store.
struct Scene {
    home: Home,
    files: Sessions,
    store: Arc<InMemoryStore>,
    stored: StoredSessions,
}

impl Scene {
    async fn new() -> Self {
        let home = Home::new();
        let work = home.path().join("work");
        fs::create_dir(&work).unwrap();
        let folder = project::project_key(&work);
        let mut first = said("user", "a", None, "First");
        first["gitBranch"] = "main".into();
        first["cwd"] = "/begun".into();
        let lines = [
            json!({"type": "mode", "mode": "x"}),
            first,
            said("assistant", "b", Some("a"), "Second"),
            json!({"type": "tag", "tag": "old", "sessionId": ID}),
            json!({"type": "tag", "tag": "kept", "sessionId": ID}),
            json!({"type": "relocated", "relocatedCwd": "/moved", "sessionId": ID}),
            said("user", "c", Some("b"), "Third"),
            // The CLI ends a transcript with entries that have no time.
            json!({"type": "mode", "mode": "x"}),
        ];
        home.write(&format!("{folder}/{ID}.jsonl"), &lines);
        let agent = format!("{folder}/{ID}/subagents/workflows/run/agent-one");
        home.write(&format!("{agent}.jsonl"), &[said("user", "s", None, "Do")]);
        home.write(&format!("{agent}.meta.json"), &[json!({"toolUseId": "toolu", "type": "odd"})]);
        let (files, store) = (home.sessions().in_project(&work), Arc::<InMemoryStore>::default());
        files.import_session_to_store(ID, &*store).await.unwrap();
        let stored = StoredSessions::of(store.clone(), work);
        Self { home, files, store, stored }
    }
}

#[tokio::test]
async fn a_copy_in_a_store_reads_as_the_files_do() {
    let Scene { files, stored, .. } = &Scene::new().await;
    let messages = stored.session_messages(ID, ..).await.unwrap();
    assert_eq!(messages.len(), 3);
    assert_eq!(messages, files.session_messages(ID, ..).unwrap());
    assert_eq!(stored.session_messages(ID, 1..2).await.unwrap(), &messages[1..2]);
    assert_eq!(stored.list_subagents(ID).await.unwrap(), files.list_subagents(ID).unwrap());
    let agent = stored.subagent_messages(ID, "one", ..).await.unwrap();
    assert_eq!(agent, files.subagent_messages(ID, "one", ..).unwrap());
    assert_eq!(agent[0].parent_tool_use_id.as_deref(), Some("toolu"));
    let expected = files.session_info(ID).unwrap().map(|info| SessionInfo {
        file_size: None,
        last_modified: 1_767_323_045_678,
        ..info
    });
    let (tag, cwd) = expected.as_ref().map(|info| (&info.tag, &info.cwd)).unwrap();
    assert_eq!((tag.as_deref(), cwd.as_deref()), (Some("kept"), Some("/moved")));
    assert_eq!(stored.session_info(ID).await.unwrap(), expected);
    let error = stored.session_messages(&ID.replace('1', "2"), ..).await.unwrap_err();
    assert!(matches!(error, SessionError::NotFound { .. }), "{error}");
}

/// It has no summaries, or only those.
struct Partial {
    store: Arc<InMemoryStore>,
    has_summaries: bool,
    has_list: bool,
    /// Summaries are from before the session's last change.
    are_stale: bool,
}

#[async_trait]
impl SessionStore for Partial {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        self.store.append(key, entries).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.store.load(key).await
    }

    async fn list_sessions(&self, project: &str) -> Result<Vec<StoredSession>, StoreError> {
        match self.has_list {
            true => self.store.list_sessions(project).await,
            false => Err(StoreError::unsupported("list_sessions")),
        }
    }

    async fn list_session_summaries(
        &self,
        project: &str,
    ) -> Result<Vec<super::super::SessionSummary>, StoreError> {
        if !self.has_summaries {
            return Err(StoreError::unsupported("list_session_summaries"));
        }
        let mut all = self.store.list_session_summaries(project).await?;
        if self.are_stale {
            all.iter_mut().for_each(|summary| {
                *summary = super::super::SessionSummary {
                    session_id: summary.session_id.clone(),
                    mtime: summary.mtime - 1,
                    data: Default::default(),
                }
            });
        }
        Ok(all)
    }
}

#[tokio::test]
async fn lists_are_the_same_whatever_methods_a_store_has() {
    let scene = Scene::new().await;
    let second = scene.stored.fork_session(ID, Fork::whole()).await.unwrap();
    let expected = scene.stored.list_sessions(..).await.unwrap();
    let ids: Vec<_> = expected.iter().map(|info| &*info.session_id).collect();
    assert_eq!(ids, [&*second, ID], "the last written comes first");
    assert_eq!(expected[0].summary, "First (fork)");
    assert_eq!(expected[1].git_branch.as_deref(), Some("main"));
    for (has_summaries, has_list, are_stale) in
        [(false, true, false), (true, false, false), (true, true, true)]
    {
        let store = Partial { store: scene.store.clone(), has_summaries, has_list, are_stale };
        let sessions = StoredSessions::of(Arc::new(store), scene.home.path().join("work"));
        assert_eq!(sessions.list_sessions(..).await.unwrap(), expected);
        assert_eq!(sessions.list_sessions(1..2).await.unwrap(), &expected[1..]);
    }
    let store =
        Partial { store: scene.store, has_summaries: false, has_list: false, are_stale: false };
    let sessions = StoredSessions::of(Arc::new(store), "/");
    let error = sessions.list_sessions(..).await.unwrap_err();
    assert!(matches!(error, SessionError::Store(StoreError::Unsupported { .. })), "{error}");
}

#[tokio::test]
async fn sessions_of_another_folder_with_the_same_key_are_not_listed() {
    const OTHER: &str = "22222222-2222-4222-8222-222222222222";
    let (home, store) = (Home::new(), Arc::<InMemoryStore>::default());
    let [own, other] = ["my-app", "my/app"].map(|name| project::canonical(&home.path().join(name)));
    for (folder, id) in [(&own, ID), (&other, OTHER)] {
        fs::create_dir_all(folder).unwrap();
        let mut first = said("user", "a", None, "Hello");
        first["cwd"] = (&**folder).into();
        let first = SessionEntry::parse(&first.to_string()).unwrap();
        store.append(&SessionKey::new(project::sanitized(folder), id), &[first]).await.unwrap();
    }
    for has_summaries in [true, false] {
        let store = store.clone();
        let store = Partial { store, has_summaries, has_list: true, are_stale: false };
        let sessions = StoredSessions::of(Arc::new(store), &own);
        let listed = sessions.list_sessions(..).await.unwrap();
        assert_eq!(listed.iter().map(|info| &*info.session_id).collect::<Vec<_>>(), [ID]);
        assert!(sessions.session_info(OTHER).await.unwrap().is_some());
    }
}

/// A store with 40 sessions that sees how many of its transcripts are in memory.
#[derive(Default)]
struct Watched {
    given: Mutex<Vec<SessionEntry>>,
    most: AtomicUsize,
}

#[async_trait]
impl SessionStore for Watched {
    async fn append(&self, _: &SessionKey, _: &[SessionEntry]) -> Result<(), StoreError> {
        Ok(())
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        let entry = said("user", &key.session_id, None, "Hello").to_string();
        let entry = SessionEntry::parse(&entry).map_err(StoreError::failed)?;
        let mut given = self.given.lock().unwrap();
        given.retain(|entry| entry.clones() > 1);
        given.push(entry.clone());
        self.most.fetch_max(given.len(), Ordering::Relaxed);
        Ok(Some(vec![entry]))
    }

    async fn list_sessions(&self, _: &str) -> Result<Vec<StoredSession>, StoreError> {
        let id = |number| format!("{number:08}-0000-4000-8000-000000000000");
        Ok((0..40).map(|mtime| StoredSession { session_id: id(mtime), mtime }).collect())
    }
}

#[tokio::test]
async fn a_list_holds_no_more_transcripts_than_are_loaded_at_a_time() {
    let store = Arc::new(Watched::default());
    let listed = StoredSessions::of(store.clone(), "/").list_sessions(..).await.unwrap();
    assert_eq!(listed.len(), 40);
    assert!(listed.iter().all(|info| info.summary == "Hello"), "{listed:?}");
    let most = store.most.load(Ordering::Relaxed);
    assert!((1..=listing::AT_ONCE).contains(&most), "{most}");
}

#[tokio::test]
async fn an_entry_that_comes_twice_changes_no_list() {
    let (store, key) = (InMemoryStore::default(), SessionKey::new(project::project_key("/"), ID));
    for (uuid, branch) in [("a", "main"), ("b", "feature"), ("a", "main")] {
        let mut entry = said("user", uuid, None, "Hello");
        entry["gitBranch"] = branch.into();
        let entry = SessionEntry::parse(&entry.to_string()).unwrap();
        store.append(&key, &[entry]).await.unwrap();
    }
    let sessions = StoredSessions::of(Arc::new(store), "/");
    let listed = sessions.list_sessions(..).await.unwrap().remove(0);
    assert_eq!(listed.git_branch.as_deref(), Some("feature"));
    assert_eq!(listed.git_branch, sessions.session_info(ID).await.unwrap().unwrap().git_branch);
}

#[tokio::test]
async fn sessions_in_a_store_are_changed_as_files_are() {
    let scene = Scene::new().await;
    let sessions = &scene.stored;
    sessions.rename_session(ID, " New ").await.unwrap();
    sessions.tag_session(ID, None).await.unwrap();
    let info = sessions.list_sessions(..1).await.unwrap().remove(0);
    assert_eq!((&*info.summary, info.tag), ("New", None));
    let copy = sessions.fork_session(ID, Fork::whole()).await.unwrap();
    let texts = |messages: Vec<SessionMessage>| {
        messages.into_iter().map(|message| message.message).collect::<Vec<_>>()
    };
    let copied = texts(sessions.session_messages(&copy, ..).await.unwrap());
    assert_eq!(copied, texts(sessions.session_messages(ID, ..).await.unwrap()));
    sessions.delete_session(ID).await.unwrap();
    for result in [sessions.rename_session(ID, "title").await, sessions.tag_session(ID, None).await]
    {
        assert!(matches!(result, Err(SessionError::NotFound { .. })), "{result:?}");
    }
    assert_eq!(scene.store.keys().len(), 1, "{:?}", scene.store.keys());
}

#[tokio::test]
async fn an_import_can_be_repeated() {
    let Scene { files, store, stored, .. } = &Scene::new().await;
    stored.rename_session(ID, "New").await.unwrap();
    stored.tag_session(ID, Some("new")).await.unwrap();
    let all = async || {
        let mut all = Vec::new();
        for key in store.keys() {
            all.push(store.load(&key).await.unwrap());
        }
        all
    };
    let before = all().await;
    files.import_session_to_store(ID, &**store).await.unwrap();
    assert_eq!(all().await, before);
}

/// What is missing of several equal ones comes, as it may be what the list shows.
#[tokio::test]
async fn an_import_adds_a_tag_that_the_copy_has_only_once() {
    let (home, store) = (Home::new(), InMemoryStore::default());
    let tag = |tag| json!({"type": "tag", "tag": tag, "sessionId": ID});
    let lines = [said("user", "a", None, "Hi"), tag("one"), tag("two"), tag("one")];
    let entries = lines.clone().map(|line| SessionEntry::parse(&line.to_string()).unwrap());
    let key = SessionKey::new("-p", ID);
    store.append(&key, &entries[..3]).await.unwrap();
    home.write(&format!("-p/{ID}.jsonl"), &lines);
    home.sessions().import_session_to_store(ID, &store).await.unwrap();
    assert_eq!(store.load(&key).await.unwrap().unwrap(), entries);
}

#[tokio::test]
async fn only_what_can_be_a_session_is_listed() {
    let Scene { home, stored, store, .. } = &Scene::new().await;
    let key = SessionKey::new(stored.key(ID).project_key, "../../evil");
    let entry = SessionEntry::parse(&said("user", "x", None, "Evil").to_string()).unwrap();
    store.append(&key, &[entry]).await.unwrap();
    let listed = stored.list_sessions(..).await.unwrap();
    assert_eq!(listed.iter().map(|info| &*info.session_id).collect::<Vec<_>>(), [ID]);
    // Nor what only the summaries have.
    let store = store.clone();
    let partial = Partial { store, has_summaries: true, has_list: false, are_stale: false };
    let summaries = StoredSessions::of(Arc::new(partial), home.path().join("work"));
    let listed = summaries.list_sessions(..).await.unwrap();
    assert_eq!(listed.iter().map(|info| &*info.session_id).collect::<Vec<_>>(), [ID]);
}

#[tokio::test]
async fn what_is_no_id_leads_to_no_transcript() {
    const EVIL: &str = "../evil";
    let Scene { stored, store, .. } = &Scene::new().await;
    let entry = SessionEntry::parse(&said("user", "x", None, "Evil").to_string()).unwrap();
    for key in [stored.key(EVIL), stored.key(EVIL).with_subpath("subagents/agent-one")] {
        store.append(&key, std::slice::from_ref(&entry)).await.unwrap();
    }
    let count = async || store.load(&stored.key(EVIL)).await.unwrap().map(|all| all.len());
    for result in [
        stored.session_info(EVIL).await.map(drop),
        stored.session_messages(EVIL, ..).await.map(drop),
        stored.list_subagents(EVIL).await.map(drop),
        stored.subagent_messages(EVIL, "one", ..).await.map(drop),
        stored.fork_session(EVIL, Fork::whole()).await.map(drop),
        stored.rename_session(EVIL, "title").await,
        stored.tag_session(EVIL, None).await,
        stored.delete_session(EVIL).await,
    ] {
        assert!(matches!(result, Err(SessionError::InvalidId { .. })), "{result:?}");
    }
    assert_eq!(count().await, Some(1));
}

#[tokio::test]
async fn the_id_of_a_subagent_leads_to_no_other_transcript() {
    const NONE: [&str; 4] = ["../x", "a/agent-b", "a\\b", "a\0b"];
    let Scene { home, store, stored, .. } = Scene::new().await;
    let entry = SessionEntry::parse(&said("user", "s", None, "Hi").to_string()).unwrap();
    for agent in NONE {
        let key = stored.key(ID).with_subpath(format!("subagents/agent-{agent}"));
        store.append(&key, std::slice::from_ref(&entry)).await.unwrap();
    }
    let partial = Partial { store, has_summaries: false, has_list: false, are_stale: false };
    let unlisted = StoredSessions::of(Arc::new(partial), home.path().join("work"));
    for (sessions, agent) in NONE.iter().flat_map(|agent| [(&stored, agent), (&unlisted, agent)]) {
        let error = sessions.subagent_messages(ID, agent, ..).await.unwrap_err();
        assert!(matches!(error, SessionError::NoSubagent { .. }), "{agent:?}: {error}");
    }
    let listed = stored.list_subagents(ID).await.unwrap();
    assert!(!listed.iter().any(|agent| NONE.contains(&&**agent)), "{listed:?}");
}

#[tokio::test]
async fn a_session_in_a_folder_with_another_hash_is_imported_under_the_key_of_its_project() {
    let (home, project) = (Home::new(), format!("/{}end", "long/".repeat(60)));
    let key = SessionKey::new(project::project_key(&project), ID);
    let mut first = said("user", "a", None, "First");
    first["cwd"] = (&*project).into();
    home.write(&format!("{}1x2y3z/{ID}.jsonl", &key.project_key[..201]), &[first]);
    for sessions in [home.sessions(), home.sessions().in_project(&project)] {
        let store = InMemoryStore::default();
        sessions.import_session_to_store(ID, &store).await.unwrap();
        assert_eq!(store.keys(), std::slice::from_ref(&key));
    }
}

/// How many entries each call has given.
#[derive(Default)]
struct Pieces(Mutex<Vec<usize>>);

#[async_trait]
impl SessionStore for Pieces {
    async fn append(&self, _: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        self.0.lock().unwrap().push(entries.len());
        Ok(())
    }

    async fn load(&self, _: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        Ok(None)
    }
}

#[tokio::test]
async fn an_import_comes_in_pieces_and_a_session_that_is_handed_over_at_once() {
    let (home, long) = (Home::new(), "x".repeat(600 * 1024));
    let path = format!("-p/{ID}.jsonl");
    for (text, lines, pieces) in [("x", 1_001, &[500, 500, 1][..]), (&*long, 5, &[2, 2, 1])] {
        let said = |number: usize| said("user", &number.to_string(), None, text);
        home.write(&path, &(0..lines).map(said).collect::<Vec<_>>());
        let (imported, handed_over) = (Pieces::default(), Pieces::default());
        home.sessions().import_session_to_store(ID, &imported).await.unwrap();
        assert_eq!(*imported.0.lock().unwrap(), pieces);
        let key =
            home.sessions().hand_over(ID.into(), "-p".into(), &handed_over, None).await.unwrap();
        assert_eq!(key, Some(SessionKey::new("-p", ID)));
        assert_eq!(*handed_over.0.lock().unwrap(), [lines]);
    }
}
