use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tokio::process::Command;
use toolwright::testing::{RecordedToolResult, ScriptedModel};

use super::Era;
use super::claude::{self, Claude};
use super::folder::Folder;
use super::run::Run;
use super::wire::Wire;

/// All that a test needs: the program, a model for it, and the fixture as its one MCP server.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) model: ScriptedModel,
    pub(super) wire: Wire,
    program: PathBuf,
    era: Era,
    folder: Folder,
}

impl Scene {
    /// `None` when the program is not installed, and then there is nothing to test.
    pub(super) async fn open(era: Era) -> Option<Self> {
        let program = claude::installed()?;
        let folder = Folder::create();
        for name in ["project", "tmp"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let model = ScriptedModel::start().await.unwrap();
        Some(Self { model, wire: Wire::new(folder.path()), program, era, folder })
    }

    /// Scripts a call of a tool of the fixture.
    pub(super) fn call(&self, tool: &str, input: Value) -> &Self {
        self.model.call(format!("mcp__fixture__{tool}"), input);
        self
    }

    /// Scripts the text that ends a turn.
    pub(super) fn say(&self, text: &str) -> &Self {
        self.model.say(text);
        self
    }

    /// Runs the program for one prompt.
    pub(super) async fn ask(&self, prompt: &str) -> Run {
        let mut command = self.command();
        command.arg(prompt);
        self.end(Claude::spawn(command)).await
    }

    /// Runs the program for one prompt, with servers that nobody records.
    pub(super) async fn ask_with(&self, config: &str, prompt: &str) -> Run {
        let mut command = self.command_with(config);
        command.arg(prompt);
        let run = Claude::spawn(command).finish().await;
        assert_eq!(self.model.turns_left(), 0, "{run:#?}");
        run
    }

    /// Starts the program for several turns. End it with [`end`](Self::end).
    pub(super) fn chat(&self) -> Claude {
        self.chat_with(&self.wire.config(self.era).to_string())
    }

    /// Starts the program for several turns, with servers that nobody records.
    pub(super) fn chat_with(&self, config: &str) -> Claude {
        let mut command = self.command_with(config);
        command.args(["--input-format", "stream-json"]);
        Claude::spawn(command)
    }

    /// Ends the program; the script must be used up, and the conversation with the fixture must
    /// have been in the era of the scene.
    pub(super) async fn end(&self, claude: Claude) -> Run {
        let run = claude.finish().await;
        assert_eq!(self.model.turns_left(), 0, "{run:#?}");
        self.wire.assert_era(self.era);
        run
    }

    /// The results of all calls of the conversation, in order.
    pub(super) fn results(&self) -> Vec<RecordedToolResult> {
        self.model.requests().iter().flat_map(|request| request.tool_results()).collect()
    }

    fn command(&self) -> Command {
        self.command_with(&self.wire.config(self.era).to_string())
    }

    fn command_with(&self, config: &str) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config"])
            .args(["--mcp-config", config])
            .arg("--allowedTools=mcp__fixture__*,mcp__calc__*")
            .env_clear()
            .envs(self.model.environment())
            // Without it the program leaves a folder for each of its sessions in the system's
            // temporary folder.
            .env("TMPDIR", self.folder.path().join("tmp"))
            .current_dir(self.folder.path().join("project"));
        command
    }
}
