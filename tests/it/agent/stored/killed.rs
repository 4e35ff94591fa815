//! A program is killed in the middle of a turn, and its session goes on on another machine.

use std::process::Stdio;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use toolwright::agent::query;
use toolwright::agent::sessions::{RedisStore, SessionStore, StoredSessions};

use crate::agent::scene::{Scene, all, conversation, within};
use crate::replicas::Redis;

/// The program, which copies the transcript of a conversation to Redis.
struct Host {
    process: Child,
    prompts: ChildStdin,
    messages: Lines<BufReader<ChildStdout>>,
}

impl Host {
    fn start(machine: &Scene, store: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-host"));
        command.args(["stored", "1", "own"]).arg(machine.cli()).env_clear();
        command.env("HOST_STORE", store).env("TMPDIR", machine.temporary());
        for (name, value) in machine.model.environment() {
            command.env(format!("CLI_{name}"), value);
        }
        command.env("CLI_TMPDIR", machine.temporary()).current_dir(machine.project());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let prompts = process.stdin.take().unwrap();
        let messages = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, prompts, messages }
    }

    async fn ask(&mut self, prompt: &str) {
        self.prompts.write_all(format!("{prompt}\n").as_bytes()).await.unwrap();
    }

    /// The next message for which this holds.
    async fn message(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = within(self.messages.next_line()).await.unwrap();
            let message = serde_json::from_str(&line.expect("it has ended")).unwrap();
            if wanted(&message) {
                return message;
            }
        }
    }
}

#[tokio::test]
async fn a_session_goes_on_when_its_program_was_killed() {
    let (Some(first), Some(second)) = (Scene::open().await, Scene::open().await) else { return };
    let Some(redis) = Redis::start().await else { return };
    let store: Arc<dyn SessionStore> =
        Arc::new(RedisStore::open(&redis.url(), "sessions").unwrap());
    let project = first.project();
    std::fs::write(project.join("word.txt"), "teapot").unwrap();
    first.model.say("I remember kettle.");
    first.model.call("Read", json!({"file_path": project.join("word.txt")}));
    // The CLI refuses to sleep. It ends at last if it should be left over.
    first.model.call("Bash", json!({"command": "timeout 90 tail -f /dev/null"}));
    let mut host = Host::start(&first, &redis.url());
    host.ask("the word is kettle").await;
    let result = host.message(|message| message["type"] == "result").await;
    let id = result["session_id"].as_str().unwrap();
    let stored = StoredSessions::of(store.clone(), &project);
    let acknowledged = stored.session_messages(id, ..).await.unwrap();
    assert_eq!(acknowledged.len(), 2);

    host.ask("which word is in the file").await;
    host.message(|message| message.to_string().contains("timeout 90 tail -f /dev/null")).await;
    let count = async || stored.session_messages(id, ..).await.unwrap().len();
    within(async {
        // The prompt, a call and its result, and the call that does not end.
        while count().await < acknowledged.len() + 4 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    host.process.start_kill().unwrap();
    within(host.process.wait()).await.unwrap();

    second.model.say("They are kettle and teapot.");
    let options = second.options().cwd(&project).session_store(store).resume(id);
    let mut run = query("go on", options.build().unwrap()).await.unwrap();
    assert_eq!(all(&mut run).await.result().session_id, id);
    let heard = conversation(&second.request());
    for text in ["word is kettle", "I remember", "which word is", "teapot", "tail -f", "go on"] {
        assert_eq!(heard.matches(text).count(), 1, "{text:?} in {heard}");
    }
    let messages = stored.session_messages(id, ..).await.unwrap();
    assert_eq!(messages[..2], acknowledged);
    let said =
        |text: &str| messages.iter().filter(|message| message.message.get().contains(text)).count();
    for text in ["word is kettle", "which word is", "They are kettle"] {
        assert_eq!(said(text), 1, "{text:?}");
    }
}
