use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process_group};
use serde_json::{Value, json};
use tokio::sync::watch;
use toolwright::agent::options::AgentOptionsBuilder;
use toolwright::agent::transport::ProcessGroup;
use toolwright::agent::{AgentClient, AgentOptions, Query, query};

use super::{TOO_LONG, result, within};

/// A script for the fake CLI, and the processes that follow it.
#[derive(Debug, Clone)]
pub(super) struct Fake {
    steps: Vec<Value>,
    /// The lines of standard error.
    told: Arc<watch::Sender<Vec<String>>>,
}

impl Fake {
    /// One that does nothing yet.
    pub(super) fn new() -> Self {
        Self { steps: Vec::new(), told: Arc::default() }
    }

    /// One that is initialised as the real CLI is.
    pub(super) fn initialized() -> Self {
        Self::new().initialize(
            json!({"claude_code_version": "2.1.328", "hook_on_failure_supported": true}),
        )
    }

    pub(super) fn initialize(self, answer: Value) -> Self {
        self.with("initialize", answer)
    }

    /// Waits for a user message, says all of this, and ends the turn well.
    pub(super) fn turn(self, messages: impl IntoIterator<Item = Value>) -> Self {
        messages.into_iter().fold(self.then("user"), Self::say).say(result())
    }

    pub(super) fn then(mut self, step: &str) -> Self {
        self.steps.push(step.into());
        self
    }

    pub(super) fn with(mut self, step: &str, argument: impl Into<Value>) -> Self {
        self.steps.push(json!({step: argument.into()}));
        self
    }

    pub(super) fn say(self, message: Value) -> Self {
        self.with("say", message)
    }

    /// Says these with one write, so that no time passes between them.
    pub(super) fn say_at_once(self, messages: &[Value]) -> Self {
        self.text(messages.iter().map(|message| format!("{message}\n")).collect::<String>())
    }

    pub(super) fn text(self, text: impl Into<String>) -> Self {
        self.with("text", text.into())
    }

    pub(super) fn ask(self, id: &str, request: Value) -> Self {
        self.with("ask", json!([id, request]))
    }

    /// Asks and waits for the answer.
    pub(super) fn asks(self, id: &str, request: Value) -> Self {
        self.ask(id, request).with("answers", json!([id]))
    }

    #[cfg(target_os = "linux")]
    pub(super) fn steps(self) -> Vec<Value> {
        self.steps
    }

    /// Options that start it with an environment in which there is nothing else.
    pub(super) fn options(&self) -> AgentOptionsBuilder {
        self.inheriting_options().env_clear().env("PATH", "/usr/bin:/bin")
    }

    /// Options that start it with the environment of the tests.
    pub(super) fn inheriting_options(&self) -> AgentOptionsBuilder {
        let told = self.told.clone();
        AgentOptions::builder()
            .cli_path(env!("CARGO_BIN_EXE_fake-cli"))
            .env("FAKE_CLI_SCRIPT", Value::from(self.steps.clone()).to_string())
            .process_group(ProcessGroup::Own)
            .stderr(move |line| told.send_modify(|told| told.push(line.to_owned())))
    }

    pub(super) async fn query(&self) -> Query {
        within(query("Go.", self.options().build().unwrap())).await.unwrap()
    }

    pub(super) async fn connect(&self) -> AgentClient {
        within(AgentClient::connect(self.options().build().unwrap())).await.unwrap()
    }

    /// Waits until a line comes on standard error, past everything else that is said.
    pub(super) async fn tells(&self, line: &str) {
        within(self.told.subscribe().wait_for(|told| told.iter().any(|told| told == line)))
            .await
            .unwrap();
    }

    /// Waits until a process has begun with its script.
    pub(super) async fn is_there(&self) {
        within(self.told.subscribe().wait_for(|told| !told.is_empty())).await.unwrap();
    }

    /// Fails unless nothing of the process groups is left soon, not even a zombie.
    pub(super) async fn is_gone(&self) {
        self.is_there().await;
        let ids: Vec<_> = self
            .told
            .borrow()
            .iter()
            .filter_map(|line| Pid::from_raw(line.parse().ok()?))
            .collect();
        for id in ids {
            gone(id).await;
        }
    }
}

/// Waits until there is nothing in the process group. Nobody tells when that is, so it is asked
/// again and again.
pub(super) async fn gone(group: Pid) {
    let since = Instant::now();
    while test_kill_process_group(group).is_ok() {
        assert!(since.elapsed() < TOO_LONG, "{group:?} is still there");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
