//! A session goes on on another machine, which has nothing but the store.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use toolwright::agent::options::StoreFlush;
use toolwright::agent::sessions::{
    BucketStore, Fork, InMemoryStore, RedisStore, SessionStore, Sessions, StoredSessions,
    project_key,
};
use toolwright::agent::{AgentClient, AgentOptionsBuilder, Message, query};

use crate::agent::scene::{Scene, all, conversation, within};
use crate::replicas::Redis;
use crate::stores::{Moto, Postgres};

type Store = Arc<dyn SessionStore>;

/// Options of a machine of its own, which has the working folder at the same place.
fn options(machine: &Scene, project: &Path, store: &Store) -> AgentOptionsBuilder {
    machine.options().cwd(project).session_store(store.clone())
}

async fn ask(prompt: &str, options: AgentOptionsBuilder) -> String {
    let result = query(prompt, options.build().unwrap()).await.unwrap().finish();
    within(result).await.unwrap().session_id
}

/// The configurations that runs in this project were given and that were not deleted.
fn leftovers(project: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(std::env::temp_dir()).unwrap();
    let paths = all.map(|entry| entry.unwrap().path());
    let key = project_key(project);
    let is_resumed = |path: &PathBuf| path.join("projects").join(&key).exists();
    let is_ours = |path: &PathBuf| path.to_string_lossy().contains("toolwright-agent-");
    paths.filter(|path| is_ours(path) && is_resumed(path)).collect()
}

async fn goes_on(store: Store) {
    let (Some(first), Some(second)) = (Scene::open().await, Scene::open().await) else { return };
    let project = first.project();
    first.model.say("I remember kettle.");
    let id = ask("the word is kettle", options(&first, &project, &store)).await;

    // The store reads as the files do.
    let stored = StoredSessions::of(store.clone(), &project);
    let messages = stored.session_messages(&id, ..).await.unwrap();
    let config =
        first.model.environment().into_iter().find(|(name, _)| name == "CLAUDE_CONFIG_DIR");
    let files = Sessions::at(config.unwrap().1);
    assert_eq!(messages, files.session_messages(&id, ..).unwrap());
    assert!(messages.iter().any(|message| message.message.get().contains("kettle")));
    let list = stored.list_sessions(..).await.unwrap();
    assert_eq!(list[0].first_prompt.as_deref(), Some("the word is kettle"));

    second.model.say("It was kettle.");
    let resumed = ask("which word", options(&second, &project, &store).resume(&id)).await;
    assert_eq!(resumed, id);
    let heard = conversation(&second.request());
    assert!(heard.contains("the word is kettle") && heard.contains("I remember"), "{heard}");

    // What was said there is stored, too, and a third one takes the latest.
    let third = Scene::open().await.unwrap();
    third.model.say("Twice kettle.");
    let goes_on = options(&third, &project, &store).continue_conversation(true);
    assert_eq!(ask("and now", goes_on).await, id);
    let heard = conversation(&third.request());
    assert!(heard.contains("which word") && heard.contains("It was kettle."), "{heard}");

    // A copy that was made in the store goes on by itself.
    let copy = stored.fork_session(&id, Fork::whole()).await.unwrap();
    third.model.say("A copy.");
    let forked = ask("a copy", options(&third, &project, &store).resume(&copy)).await;
    assert_eq!(forked, copy);
    let heard = conversation(&third.request());
    assert!(heard.contains("Twice kettle."), "{heard}");
    assert_eq!(leftovers(&project), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_session_goes_on_from_a_store() {
    goes_on(Arc::new(InMemoryStore::default())).await;
}

#[tokio::test]
async fn a_session_goes_on_from_a_bucket_of_s3() {
    let Some(moto) = Moto::start() else { return };
    goes_on(Arc::new(BucketStore::of(moto.bucket(), "sessions"))).await;
}

#[tokio::test]
async fn a_session_goes_on_from_redis() {
    let Some(redis) = Redis::start().await else { return };
    goes_on(Arc::new(RedisStore::open(&redis.url(), "sessions").unwrap())).await;
}

#[tokio::test]
async fn a_session_goes_on_from_postgres() {
    let Some(postgres) = Postgres::start() else { return };
    goes_on(Arc::new(postgres.store().await)).await;
}

#[tokio::test]
async fn a_session_that_was_begun_without_a_store_is_whole_in_it() {
    let (Some(first), Some(second)) = (Scene::open().await, Scene::open().await) else { return };
    let (project, store): (_, Store) = (first.project(), Arc::new(InMemoryStore::default()));
    first.model.say("I remember kettle.");
    let id = ask("the word is kettle", first.options().cwd(&project)).await;
    first.model.say("It was kettle.");
    let goes_on = options(&first, &project, &store).resume(&id);
    assert_eq!(ask("which word", goes_on).await, id);

    second.model.say("Twice kettle.");
    assert_eq!(ask("and now", options(&second, &project, &store).resume(&id)).await, id);
    let heard = conversation(&second.request());
    for text in ["the word is kettle", "I remember", "which word", "It was kettle.", "and now"] {
        assert_eq!(heard.matches(text).count(), 1, "{text:?} in {heard}");
    }
}

#[tokio::test]
async fn a_turn_that_was_killed_goes_on_elsewhere() {
    let (Some(first), Some(second)) = (Scene::open().await, Scene::open().await) else { return };
    let (project, store): (_, Store) = (first.project(), Arc::new(InMemoryStore::default()));
    // The second call of a tool does not end, and ends at last when it is left over.
    let read = project.join("word.txt");
    fs::write(&read, "kettle").unwrap();
    first.model.call("Read", json!({"file_path": read}));
    first.model.call("Bash", json!({"command": "timeout 90 tail -f /dev/null"}));
    let begun = options(&first, &project, &store)
        .session_store_flush(StoreFlush::Eager)
        .allowed_tools(["Read", "Bash"]);
    let mut client = AgentClient::connect(begun.build().unwrap()).await.unwrap();
    let pid: i32 = client.server_info().member("pid").unwrap().parse().unwrap();
    client.query("which word is in the file").await.unwrap();
    let mut id = String::new();
    let mut messages = client.messages();
    while let Some(Ok(message)) = within(messages.next()).await {
        if let Message::Assistant(message) = message {
            id.clone_from(&message.session_id);
            if message.raw().contains("timeout 90 tail -f /dev/null") {
                break;
            }
        }
    }
    // The CLI tells some time later what it has written.
    let stored = StoredSessions::of(store.clone(), &project);
    let has_call = async || {
        let messages = stored.session_messages(&id, ..).await.unwrap_or_default();
        messages
            .iter()
            .any(|message| message.message.get().contains("timeout 90 tail -f /dev/null"))
    };
    within(async {
        while !has_call().await {
            tokio::task::yield_now().await;
        }
    })
    .await;
    // The machine is lost: nothing of it is left but what the store has.
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    while within(messages.next()).await.is_some() {}
    within(client.close()).await;

    second.model.say("It is kettle.");
    let run = options(&second, &project, &store).resume(&id).build().unwrap();
    let mut run = query("go on", run).await.unwrap();
    all(&mut run).await;
    let heard = conversation(&second.request());
    for text in ["which word is in the file", "kettle", "go on"] {
        assert!(heard.contains(text), "{text:?} is not in {heard}");
    }
}
