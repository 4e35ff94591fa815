use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use toolwright::agent::{AgentClient, AgentOptionsBuilder, Query};
use toolwright::testing::{RecordedRequest, RecordedToolResult, ScriptedModel};

use super::heard::Heard;
use crate::cli::{Folder, installed};

/// The longest that anything may take here.
const LIMIT: Duration = Duration::from_secs(60);

/// The real CLI, a model for it, and folders that nobody else uses.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) model: ScriptedModel,
    cli: PathBuf,
    folder: Folder,
}

impl Scene {
    /// `None` where the CLI is not installed, and then there is nothing to test.
    pub(super) async fn open() -> Option<Self> {
        let cli = installed()?;
        let folder = Folder::create();
        for name in ["project", "tmp"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let model = ScriptedModel::start().await.unwrap();
        Some(Self { model, cli, folder })
    }

    /// Options for a run in this scene.
    pub(super) fn options(&self) -> AgentOptionsBuilder {
        self.model
            .options()
            .cli_path(&self.cli)
            .cwd(self.project())
            .env("TMPDIR", self.temporary())
            .setting_sources([])
            .strict_mcp_config(true)
    }

    pub(super) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(super) fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    pub(super) fn cli(&self) -> &PathBuf {
        &self.cli
    }

    /// The version of the CLI, as it prints it itself.
    pub(super) fn version(&self) -> String {
        let printed = Command::new(&self.cli).env_clear().arg("--version").output().unwrap();
        let printed = String::from_utf8(printed.stdout).unwrap();
        printed.split_whitespace().next().unwrap().to_owned()
    }

    /// The latest request to the model.
    pub(super) fn request(&self) -> RecordedRequest {
        self.model.requests().pop().unwrap()
    }

    /// The results of all tool calls that reached the model, in order.
    pub(super) fn results(&self) -> Vec<RecordedToolResult> {
        self.model.requests().iter().flat_map(RecordedRequest::tool_results).collect()
    }
}

/// Fails instead of waiting for ever.
pub(super) async fn within<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(LIMIT, future).await.expect("nothing happened for too long")
}

/// All messages of a run.
pub(super) async fn all(run: &mut Query) -> Heard {
    let mut heard = Heard::default();
    while let Some(message) = within(run.next()).await {
        heard.push(message.unwrap());
    }
    heard
}

/// The messages of the turn at hand.
pub(super) async fn turn(client: &mut AgentClient) -> Heard {
    let mut heard = Heard::default();
    while let Some(message) = within(client.next_response()).await {
        heard.push(message.unwrap());
    }
    heard
}

/// Says something and gives the messages of its turn.
pub(super) async fn say(client: &mut AgentClient, prompt: &str) -> Heard {
    client.query(prompt).await.unwrap();
    turn(client).await
}

/// The texts of everything that a request to the model holds of the conversation.
pub(super) fn conversation(request: &RecordedRequest) -> String {
    match &request.body()["messages"] {
        Value::Array(messages) => messages
            .iter()
            .map(|message| message["content"].to_string())
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}
