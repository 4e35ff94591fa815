//! A stand-in for the CLI that plays its side of the control protocol in memory.
//!
//! Messages and their order are those of Claude Code 2.1.328 as recorded; each file says where it
//! differs.
//!
//! [`ScriptedCli`] becomes a [`Cli`](cli::Cli), which is shared by both ends of the connection and
//! one task: `connection` passes the lines of the SDK in and those of the CLI out, `control`
//! answers requests, `conversation` plays the turns.

mod answer;
mod arguments;
mod command;
mod concurrent;
mod exit;
mod json;
mod matcher;
mod outline;
mod question;
mod subject;
mod rules;
mod server;
mod transcript;

mod setup;
mod turn;
mod turn_state;
mod usage;

mod hooks;
mod prompt;
mod recorder;
mod script;

mod expectations;

mod cli;

mod builtin;
mod suggestions;
mod hook_calls;
mod mcp_client;
mod permissions;
mod prompts;

mod api_error;
mod cut;
mod api_message;
mod elicitation;
mod refusal;

mod agents;
mod answers;
mod call;
mod content;
mod interruption;
mod messages;
mod result;
mod structured_output;

mod steering;
mod reports;
mod server_requests;
mod control;

mod connection;
mod conversation;

mod replay;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::Path;

use async_trait::async_trait;
use serde_json::Value;

use crate::agent::ConnectError;
use crate::agent::transport::{Connection, Launch, Transport};

pub use self::recorder::{PlayedCall, Recorder};
pub use self::turn::Turn;

/// A [`Transport`] to a scripted CLI, without a process and without a network.
///
/// Each prompt takes the next turn of the script. Everything around it happens as with the real
/// CLI: it connects to the in-process servers of the options, calls their tools, runs hooks, asks
/// for permissions and answers requests. When the script is used up, a prompt gets an error result
/// that says so. A session store gets the main conversation, without what subagents say; nothing is
/// written to the disk, and every session that is resumed is known. A session has a new id, unless
/// the options give it one; the other ids are the same in every run.
///
/// ```
/// use toolwright::agent::{AgentOptions, query_with};
/// use toolwright::testing::ScriptedCli;
/// use toolwright::{ToolRegistry, json, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
/// let options =
///     AgentOptions::builder().mcp_server(registry).allowed_tools(["mcp__calc__*"]).build()?;
/// let cli = ScriptedCli::new().turn(|turn| {
///     turn.say("Adding.").call("mcp__calc__add", json!({"a": 2, "b": 40})).say_result()
/// });
/// let seen = cli.seen();
///
/// let result = query_with(cli, "What is 2 + 40?", options).await?.finish().await?;
/// assert_eq!(result.text(), "42");
/// assert_eq!(seen.expect_call("mcp__calc__add").text, "42");
/// # Ok(())
/// # }
/// ```
#[must_use = "a CLI does nothing until something connects to it"]
#[derive(Default)]
pub struct ScriptedCli {
    script: script::Script,
    builtins: Vec<(String, String)>,
    recorder: Recorder,
    /// What is played in place of the script.
    replay: Option<replay::Replay>,
}

impl ScriptedCli {
    /// A CLI with an empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// A CLI that plays what a [`Recording`](super::Recording) has recorded. It says what the real
    /// CLI has said, and what this program sends is compared with what it sent then: prompts,
    /// requests, and the answers of tools, hooks and other callbacks, which run as they did.
    ///
    /// ```
    /// use toolwright::agent::{AgentOptions, query_with};
    /// use toolwright::testing::{Recording, ScriptedCli};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("replay-{}", std::process::id()));
    /// # let path = folder.join("hello.jsonl");
    /// let cli = ScriptedCli::new().turn(|turn| turn.say("Hello."));
    /// let recording = Recording::new(cli, &path);
    /// query_with(recording, "Greet me.", AgentOptions::default()).await?.finish().await?;
    ///
    /// let cli = ScriptedCli::replay(&path)?;
    /// let seen = cli.seen();
    /// let result = query_with(cli, "Greet me.", AgentOptions::default()).await?.finish().await?;
    /// assert_eq!(result.text(), "Hello.");
    /// seen.expect_all_played();
    ///
    /// let cli = ScriptedCli::replay(&path)?;
    /// let seen = cli.seen();
    /// let run = query_with(cli, "Hello?", AgentOptions::default()).await?.finish().await;
    /// assert!(run.unwrap_err().to_string().contains("/message/content is \"Hello?\""));
    /// assert!(seen.difference().is_some());
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Where the two differ, the CLI exits with status 1, and the end of its standard error names
    /// the line of the recording, the place in the message, and both values.
    /// [`Recorder::difference`] has the same text, also if the run is over by then. Where this
    /// program sends less, nothing fails before it closes its run, so a test ends with
    /// [`Recorder::expect_all_played`].
    ///
    /// Ids, times, absolute paths as arguments, and what was redacted may differ. But what was
    /// redacted in the arguments of a tool or another callback is redacted for it too. Messages may
    /// come earlier than they did, and in another order.
    ///
    /// What the CLI gets by a file is not in a recording, so it is not compared: settings, long
    /// system prompts, and MCP servers if one of them has arguments, variables, a URL or members of
    /// your own. Neither are the environment and the working folder.
    ///
    /// Turns, built-in tools and answers that are added are not played. [`Recorder::calls`] shows
    /// calls with the inputs of the model.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no recording.
    pub fn replay(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self { replay: Some(replay::Replay::read(path.as_ref())?), ..Self::default() })
    }

    /// Adds a turn: the texts and tool calls of the model until it waits for the next prompt.
    pub fn turn(mut self, turn: impl FnOnce(Turn) -> Turn) -> Self {
        self.script.turns.push_back(turn(Turn::default()));
        self
    }

    /// The turn for each prompt with this text in it. Such a prompt takes no turn of the script; of
    /// several rules the first that fits counts.
    ///
    /// ```
    /// use toolwright::agent::{AgentOptions, query_with};
    /// use toolwright::testing::ScriptedCli;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cli = ScriptedCli::new()
    ///     .when("weather", |turn| turn.say("It rains."))
    ///     .turn(|turn| turn.say("Hello."));
    /// let run = query_with(cli, "How is the weather?", AgentOptions::default()).await?;
    /// assert_eq!(run.finish().await?.text(), "It rains.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn when(mut self, prompt: impl Into<String>, turn: impl FnOnce(Turn) -> Turn) -> Self {
        self.script.rules.push((prompt.into(), turn(Turn::default())));
        self
    }

    /// Adds what a subagent does: each call of the tool `Agent` starts one, which takes the next of
    /// these turns. Its last text is the result of the call. If a hook of `SubagentStop` blocks,
    /// the subagent goes on with the next of them, or ends if there is none. A call for which no
    /// turn is left has an error as its result.
    ///
    /// It runs in the foreground. The real CLI does that only where the call says so, as the one
    /// below does, or `CLAUDE_CODE_DISABLE_BACKGROUND_TASKS` is `1`; else the call ends at once.
    ///
    /// ```
    /// use toolwright::json;
    /// use toolwright::testing::ScriptedCli;
    ///
    /// let task = json!({
    ///     "description": "Find it", "prompt": "Find it.", "subagent_type": "scout",
    ///     "run_in_background": false,
    /// });
    /// let cli = ScriptedCli::new()
    ///     .turn(|turn| turn.call("Agent", task).say_result())
    ///     .agent(|turn| turn.call("mcp__shop__search", json!({"for": "it"})).say("Aisle 7."));
    /// ```
    pub fn agent(mut self, turn: impl FnOnce(Turn) -> Turn) -> Self {
        self.script.agents.push_back(turn(Turn::default()));
        self
    }

    /// Adds a built-in tool, such as `Bash`, that returns this text for every call. Default: there
    /// are none. `AskUserQuestion` and `ExitPlanMode` return what the real ones do, by the answers
    /// and the mode. A tool that the options leave out, or that would ask nobody, is not there.
    ///
    /// As in the real CLI, no permission is asked for what `Read`, `Glob` and `Grep` read in the
    /// session's folders. Commands of `Bash` are asked about unless a rule or the mode allows them,
    /// though the real one asks for none that only reads, such as `cat`. A `PreToolUse` hook sees
    /// every call.
    ///
    /// The `tool_response` of a hook is this text, where the real tool has an object of its own
    /// form. An output that replaces it must be an object too, and its JSON text is the result.
    pub fn builtin(mut self, name: impl Into<String>, output: impl Into<String>) -> Self {
        self.builtins.push((name.into(), output.into()));
        self
    }

    /// Adds an answer to control requests of this subtype, such as `rewind_files`. Requests of a
    /// subtype take its answers in their order, and the last one from then on. Nothing else
    /// happens: a `set_model` that is answered so leaves the model as it is.
    ///
    /// Without this the requests of [`AgentClient`](crate::agent::AgentClient) are answered as by a
    /// CLI that has no files, plugins and tasks, and those of no other subtype. `initialize`,
    /// `interrupt` and `mcp_message` are always answered by the CLI itself.
    ///
    /// ```
    /// use toolwright::agent::{AgentClient, AgentOptions};
    /// use toolwright::json;
    /// use toolwright::testing::ScriptedCli;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cli = ScriptedCli::new()
    ///     .answer("rewind_files", json!({"canRewind": true, "filesChanged": ["notes.txt"]}))
    ///     .refuse("mcp_reconnect", "Server not found: shop");
    /// let client = AgentClient::connect_with(cli, AgentOptions::default()).await?;
    /// assert!(client.rewind_files("a prompt's id", true).await?.can_rewind);
    /// assert!(client.reconnect_mcp_server("shop").await.is_err());
    /// # client.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn answer(mut self, subtype: impl Into<String>, answer: Value) -> Self {
        self.script.answer(subtype.into(), Ok(answer));
        self
    }

    /// Adds a refusal of control requests of this subtype, which takes its place among the
    /// [answers](Self::answer).
    pub fn refuse(mut self, subtype: impl Into<String>, error: impl Into<String>) -> Self {
        self.script.answer(subtype.into(), Err(error.into()));
        self
    }

    /// A recorder of the run. Get it before the CLI is given away.
    pub fn seen(&self) -> Recorder {
        self.recorder.clone()
    }
}

#[async_trait]
impl Transport for ScriptedCli {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        if let Some(replay) = self.replay {
            return replay::connect(replay, &launch, self.recorder)
                .map_err(ConnectError::Transport);
        }
        let setup = setup::Setup::read(&launch, self.builtins).map_err(ConnectError::Transport)?;
        Ok(connection::connect(cli::Cli::new(setup, self.recorder), self.script))
    }
}

impl fmt::Debug for ScriptedCli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedCli")
            .field("script", &self.script)
            .field("builtins", &self.builtins)
            .finish_non_exhaustive()
    }
}
