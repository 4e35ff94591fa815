use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::*;
use crate::agent::AgentOptionsBuilder;
use crate::agent::mirror::Mirror;
use crate::agent::options::Env;
use crate::agent::sessions::{InMemoryStore, SessionStore, project_key};

mod name;
mod user;

const ID: &str = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";
const OTHER: &str = "7f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";

/// The user's home with a configuration, and a store.
struct Scene {
    home: Folder,
    store: Arc<InMemoryStore>,
}

impl Scene {
    fn new() -> Self {
        let (home, store) = (Folder::create().unwrap(), Arc::default());
        let put = |name: &str, text: &str| write(&home.path().join(name), text.as_bytes()).unwrap();
        put(
            ".claude/settings.json",
            "\u{feff}{\"enabledPlugins\":{},\"additionalMarketplaces\":{},\
             \"env\":{\"A\":\"1\",\"CLAUDE_CONFIG_DIR\":\"/x\"}}",
        );
        put(
            ".claude/.credentials.json",
            r#"{"claudeAiOauth":{"accessToken":"a","refreshToken":"r"}}"#,
        );
        put(".claude.json", "{\"n\": 1}");
        put(".claude/.config.json", "{\"o\": 1}");
        Self { home, store }
    }

    fn options(&self) -> AgentOptionsBuilder {
        AgentOptions::builder()
            .env_clear()
            .env("HOME", self.home.path())
            .cwd("/")
            .session_store(self.store.clone())
    }

    async fn put(&self, id: &str, subpath: Option<&str>, entries: &[&str]) {
        let key = SessionKey::new(project_key("/"), id);
        let key = subpath.map_or(key.clone(), |subpath| key.with_subpath(subpath));
        let entries: Vec<_> =
            entries.iter().map(|entry| SessionEntry::parse(entry).unwrap()).collect();
        self.store.append(&key, &entries).await.unwrap();
    }
}

fn entry(entry: &Value) -> SessionEntry {
    SessionEntry::parse(&entry.to_string()).unwrap()
}

async fn resumed(options: AgentOptionsBuilder) -> (AgentOptions, Option<Folder>) {
    from_store(options.build().unwrap()).await.unwrap()
}

/// All files in a folder, without it, and what is in them.
fn files(folder: &Path, below: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        if path.is_dir() {
            assert_eq!(mode, 0o700, "{}", path.display());
            found.extend(files(folder, &path));
        } else {
            assert_eq!(mode, 0o600, "{}", path.display());
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn a_session_is_written_into_a_configuration_of_its_own() {
    let (scene, answer) = (Scene::new(), r#"{"type":"assistant","parentUuid":"a"}"#);
    // The store has taken the prompt late.
    scene.put(ID, None, &[answer, SAID]).await;
    let noted = r#"{"type":"agent_metadata","agentType":"x"}"#;
    scene.put(ID, Some("subagents/agent-a"), &[r#"{"type":"user","n":1}"#, noted]).await;
    for name in ["../../../evil", "/etc/evil", "a/../b", "", "a//b", "./a", "a\\b", "c:d"] {
        scene.put(ID, Some(name), &[r#"{"type":"user"}"#]).await;
    }
    let (options, folder) = resumed(scene.options().resume(ID)).await;
    let folder = folder.unwrap();
    let expected = [
        (".claude.json", "{\"n\": 1}"),
        (".config.json", "{\"o\": 1}"),
        (".credentials.json", r#"{"claudeAiOauth":{"accessToken":"a"}}"#),
        (&format!("projects/-/{ID}.jsonl"), &format!("{SAID}\n{answer}\n")),
        (&format!("projects/-/{ID}/subagents/agent-a.jsonl"), "{\"type\":\"user\",\"n\":1}\n"),
        (&format!("projects/-/{ID}/subagents/agent-a.meta.json"), r#"{"agentType":"x"}"#),
        ("settings.json", r#"{"env":{"A":"1"}}"#),
    ];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(files(folder.path(), folder.path()), expected);
    let launch = options.launch().unwrap().0;
    let config = ("CLAUDE_CONFIG_DIR".into(), Some(folder.path().as_os_str().to_owned()));
    assert!(launch.env.contains(&config), "{:?}", launch.env);
    let mut moved = launch.clone();
    moved.files.push(launch_file(&folder));
    moved.relocate(0, "/far");
    assert!(moved.env.contains(&("CLAUDE_CONFIG_DIR".into(), Some("/far".into()))));
    assert!(launch.args.contains(&format!("--resume={ID}").into()), "{:?}", launch.args);
    assert!(launch.args.contains(&"--session-mirror".into()), "{:?}", launch.args);
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
}

#[tokio::test]
async fn the_latest_conversation_of_the_folder_goes_on() {
    let scene = Scene::new();
    scene.put(OTHER, None, &[r#"{"type":"user"}"#]).await;
    scene.put(ID, None, &[r#"{"type":"user","n":1}"#]).await;
    scene.put("no-uuid", None, &[r#"{"type":"user"}"#]).await;
    let side = OTHER.replace('7', "8");
    scene.put(&side, None, &[r#"{"type":"user","isSidechain":true}"#]).await;
    let (options, folder) = resumed(scene.options().continue_conversation(true)).await;
    assert!(folder.is_some());
    assert_eq!(options.session.resume.as_deref(), Some(ID));
    assert!(!options.session.continue_conversation);
}

#[tokio::test]
async fn no_conversation_of_another_folder_with_the_same_key_goes_on() {
    let scene = Scene::new();
    let [own, other] = ["my-app", "my/app"].map(|name| scene.home.path().join(name));
    for (folder, id) in [(&own, ID), (&other, OTHER)] {
        fs::create_dir_all(folder).unwrap();
        let said = json!({"type": "user", "cwd": folder.canonicalize().unwrap()});
        let key = SessionKey::new(project_key(folder), id);
        scene.store.append(&key, &[entry(&said)]).await.unwrap();
    }
    let options = scene.options().cwd(own).continue_conversation(true);
    assert_eq!(resumed(options).await.0.session.resume.as_deref(), Some(ID));
}

#[tokio::test]
async fn what_the_store_does_not_have_is_left_to_the_cli() {
    let scene = Scene::new();
    // It is the CLI that knows titles.
    scene.put("a title", None, &[r#"{"type":"user"}"#]).await;
    for options in [scene.options(), scene.options().resume(ID), scene.options().resume("a title")]
    {
        let before = options.clone().build().unwrap();
        let (after, folder) = resumed(options).await;
        assert!(folder.is_none());
        assert_eq!(format!("{after:?}"), format!("{before:?}"));
    }
    let local = AgentOptions::builder().continue_conversation(true);
    assert!(resumed(local).await.0.session.continue_conversation, "there is no store");
}

#[tokio::test]
async fn where_the_store_has_nothing_a_new_conversation_begins() {
    let scene = Scene::new();
    let new = scene.options().session_id(ID).build().unwrap();
    let goes_on = scene.options().continue_conversation(true).fork_session(true).session_id(ID);
    let (options, folder) = resumed(goes_on).await;
    assert!(folder.is_none());
    assert_eq!(format!("{options:?}"), format!("{new:?}"));
}

const SAID: &str = r#"{"type":"user","uuid":"a","message":{"role":"user","content":"Hi"}}"#;

impl Scene {
    /// Writes a session with a subagent into the CLI's own files.
    fn own(&self) {
        let session = self.home.path().join(".claude/projects/-").join(ID);
        for path in [session.with_extension("jsonl"), session.join("subagents/agent-a.jsonl")] {
            write(&path, format!("{SAID}\n").as_bytes()).unwrap();
        }
    }
}

#[tokio::test]
async fn what_only_the_files_of_the_cli_have_is_copied_into_the_store_first() {
    type Change = fn(AgentOptionsBuilder) -> AgentOptionsBuilder;
    let cases: [(Change, bool); 3] = [
        (|options| options.resume(ID), true),
        (|options| options.continue_conversation(true), false),
        (|options| options.resume("a title"), false),
    ];
    for (change, is_copied) in cases {
        let scene = Scene::new();
        scene.own();
        let (options, folder) = resumed(change(scene.options())).await;
        let key = SessionKey::new(project_key("/"), ID);
        for key in [key.with_subpath("subagents/agent-a"), key] {
            let stored = scene.store.load(&key).await.unwrap();
            let stored = stored.map(|entries| entries[0].get().to_owned());
            assert_eq!(stored.as_deref(), is_copied.then_some(SAID), "{key}");
        }
        assert_eq!(folder.is_some(), is_copied);
        if let Some(folder) = folder {
            let written = folder.path().join(format!("projects/-/{ID}.jsonl"));
            assert_eq!(fs::read_to_string(written).unwrap(), format!("{SAID}\n"));
            assert_eq!(options.session.resume.as_deref(), Some(ID));
        }
    }
}

#[tokio::test]
async fn a_session_that_has_moved_goes_on_where_the_store_has_it() {
    let (scene, begun) = (Scene::new(), SessionKey::new("-nowhere", ID));
    let said = entry(&json!({"type": "user", "uuid": "a", "cwd": "/nowhere"}));
    let local = scene.home.path().join(format!(".claude/projects/-/{ID}.jsonl"));
    write_lines(&local, std::slice::from_ref(&said)).unwrap();
    scene.store.append(&begun, std::slice::from_ref(&said)).await.unwrap();
    let (options, folder) = resumed(scene.options().resume(ID)).await;
    // Where the CLI looks for it.
    let written = folder.unwrap().path().join(format!("projects/-/{ID}.jsonl"));
    let mirror = Mirror::of(&options).unwrap();
    let next = json!({"type": "assistant", "uuid": "b"});
    mirror.take(&json!({"filePath": written, "entries": [next]}).to_string());
    mirror.flushed().await;
    assert_eq!(scene.store.keys(), std::slice::from_ref(&begun));
    assert_eq!(scene.store.load(&begun).await.unwrap().unwrap().len(), 2);
}

/// It has nothing and takes nothing.
struct Full;

#[async_trait]
impl SessionStore for Full {
    async fn append(&self, _: &SessionKey, _: &[SessionEntry]) -> Result<(), StoreError> {
        std::future::pending().await
    }

    async fn load(&self, _: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        Ok(None)
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_take_a_session_ends_the_start() {
    let scene = Scene::new();
    scene.own();
    let options = scene.options().session_store(Arc::new(Full)).resume(ID);
    let options = options.load_timeout(Duration::from_secs(3)).build().unwrap();
    let error = from_store(options).await.unwrap_err();
    assert!(error.to_string().contains("append has not answered within 3s"), "{error}");
}

/// It never answers.
struct Silent;

#[async_trait]
impl SessionStore for Silent {
    async fn append(&self, _: &SessionKey, _: &[SessionEntry]) -> Result<(), StoreError> {
        std::future::pending().await
    }

    async fn load(&self, _: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_answer_ends_the_start() {
    let options = AgentOptions::builder().session_store(Arc::new(Silent)).resume(ID);
    let options = options.load_timeout(Duration::from_secs(3)).build().unwrap();
    let error = from_store(options).await.unwrap_err();
    assert!(error.to_string().contains("load has not answered within 3s"), "{error}");
    let options = AgentOptions::builder().session_store(Arc::new(Silent));
    let options = options.continue_conversation(true).build().unwrap();
    let error = from_store(options).await.unwrap_err();
    assert!(error.to_string().contains("does not support list_sessions"), "{error}");
}

#[test]
fn the_users_configuration_is_where_the_cli_would_look() {
    let inherited = |name: &str| match name {
        "HOME" => Some("/home/u".into()),
        "ANTHROPIC_API_KEY" => Some("k".into()),
        _ => None,
    };
    let mut env = Env::default();
    let usual = Surroundings::with(&env, inherited);
    assert_eq!(usual.folder(), Some("/home/u/.claude".into()));
    assert_eq!(usual.state(), Some("/home/u/.claude.json".into()));
    assert!(usual.has_key);
    env.change("CLAUDE_CONFIG_DIR".as_ref(), Some("/c".into()));
    env.change("ANTHROPIC_API_KEY".as_ref(), None);
    let named = Surroundings::with(&env, inherited);
    assert_eq!(named.folder(), Some("/c".into()));
    assert_eq!(named.state(), Some("/c/.claude.json".into()));
    assert!(!named.has_key);
    let cleared = Env { clear: true, changes: Vec::new() };
    assert_eq!(Surroundings::with(&cleared, inherited).folder(), None);
}

/// Lists each transcript twice.
struct Twice(Arc<InMemoryStore>);

#[async_trait]
impl SessionStore for Twice {
    async fn append(&self, key: &SessionKey, new: &[SessionEntry]) -> Result<(), StoreError> {
        self.0.append(key, new).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.0.load(key).await
    }

    async fn list_subkeys(&self, project: &str, id: &str) -> Result<Vec<String>, StoreError> {
        let once = self.0.list_subkeys(project, id).await?;
        Ok([once.clone(), once].concat())
    }
}

#[tokio::test]
async fn a_transcript_that_is_listed_twice_is_written_once() {
    let scene = Scene::new();
    for subpath in [None, Some("subagents/agent-a")] {
        scene.put(ID, subpath, &[r#"{"type":"user"}"#]).await;
    }
    let options = scene.options().session_store(Arc::new(Twice(scene.store.clone())));
    let (_, folder) = resumed(options.resume(ID)).await;
    let agent = format!("projects/-/{ID}/subagents/agent-a.jsonl");
    assert!(folder.unwrap().path().join(agent).is_file());
}

/// Lists nothing.
struct Plain(Arc<InMemoryStore>);

#[async_trait]
impl SessionStore for Plain {
    async fn append(&self, key: &SessionKey, new: &[SessionEntry]) -> Result<(), StoreError> {
        self.0.append(key, new).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.0.load(key).await
    }
}

#[tokio::test]
async fn a_session_goes_on_from_a_store_that_lists_no_subagents() {
    let scene = Scene::new();
    scene.put(ID, None, &[r#"{"type":"user"}"#]).await;
    let options = scene.options().session_store(Arc::new(Plain(scene.store.clone())));
    assert!(resumed(options.resume(ID)).await.1.is_some());
}
