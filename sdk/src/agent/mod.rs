//! Runs Claude from Rust: the `claude` program as a child process, with your tools, hooks and
//! permissions in this process.
//!
//! ```toml
//! [dependencies]
//! tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
//! toolwright = { version = "0.1", features = ["agent"] }
//! ```
//!
//! The program is Claude Code 2.0.0 or newer, which `npm install -g @anthropic-ai/claude-code`
//! installs; the tests use 2.1.328, and have passed with 2.1.332. It runs with the account in which
//! it is logged in, or with the key in `ANTHROPIC_API_KEY`, a variable that it inherits or that
//! [`env`](AgentOptionsBuilder::env) sets.
//!
//! [`query`] runs one prompt to its end:
//!
//! ```no_run
//! use toolwright::agent::{AgentOptions, Error, Message, query};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let options = AgentOptions::builder().model("sonnet").build()?;
//! let mut run = query("What is 2 + 40?", options).await?;
//! while let Some(message) = run.next().await {
//!     match message? {
//!         Message::Assistant(message) => print!("{}", message.text()),
//!         Message::Result(result) => println!("\n{} turns", result.num_turns),
//!         _ => {}
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | talk over several turns | [`AgentClient`], [`Turn`] |
//! | go on with an earlier conversation | [`AgentOptionsBuilder::resume`], [`continue_conversation`](AgentOptionsBuilder::continue_conversation) |
//! | set the system prompt | [`AgentOptionsBuilder::system_prompt`] |
//! | send pictures and documents | [`UserPrompt`] |
//! | limit turns and costs | [`AgentOptionsBuilder::max_turns`], [`max_budget_usd`](AgentOptionsBuilder::max_budget_usd) |
//! | define subagents | [`AgentOptionsBuilder::agents`] |
//! | give Claude tools of this program | [`AgentOptionsBuilder::mcp_server`] with a [`ToolRegistry`](crate::ToolRegistry) |
//! | decide which tools may run | [`AgentOptionsBuilder::can_use_tool`], [`PermissionPolicy`] |
//! | answer the questions of MCP servers | [`AgentOptionsBuilder::on_elicitation`] |
//! | show the dialogs of the CLI | [`AgentOptionsBuilder::on_user_dialog`] |
//! | watch or change what Claude does | [`AgentOptionsBuilder::hook`], [`HookMatcher`] |
//! | prompt, interrupt, or change the model of, a run from elsewhere | [`Handle`]; tools have it from [`Context::agent`](crate::Context::agent) |
//! | ask for files, usage, rules and more | [`requests`] |
//! | have a CLI ready before there is a prompt | [`prewarm`], [`WarmPool`] |
//! | read the messages | [`Message`], [`Texts`] |
//! | get an output by a schema | [`AgentOptionsBuilder::output_type`], [`ResultMessage::output`](message::ResultMessage::output) |
//! | know what a run costs | [`RunSummary`](message::RunSummary), [`Prices`](message::Prices) |
//! | handle errors | [`Error`], or the error of each operation |
//! | reach a CLI elsewhere | [`Transport`] |
//! | show a run at the terminal | `agent::view`, with the feature `view` |
//! | list, read and change stored conversations | `agent::sessions`, with the feature `sessions` |
//! | test without a model | `toolwright::testing::ScriptedCli`, with the feature `testing` |
//!
//! # When a run ends
//!
//! No `claude` process outlives its run or this program:
//!
//! | what ends a run | what happens |
//! |---|---|
//! | [`Query::close`], [`AgentClient::close`] | the CLI's input is closed; after [`close_grace`] the CLI gets SIGTERM, and after [`terminate_grace`] SIGKILL; when the call returns, the processes and the temporary files are gone |
//! | dropping a [`Query`] or an [`AgentClient`] | the same, on a thread, without waiting |
//! | the result of a [`Query`], if the CLI does not exit within [`close_grace`] after it | the same, as if it were closed |
//! | this program returns from `main`, exits, panics, aborts or is killed, also with SIGKILL | the same, by another process; temporary files are deleted at once |
//!
//! When its input is closed, the CLI goes on with a turn that runs, until the turn or
//! [`close_grace`] ends: the model is asked on, and calls that rules or the mode allow run. What
//! would ask a `PreToolUse` hook or for a permission is denied, and other hooks are passed over. To
//! end a turn at once, [interrupt](Handle::interrupt) it before, or set a shorter [`close_grace`].
//!
//! Signals go to the CLI's process group. After its end, what is left of the group gets SIGTERM
//! and, 200 ms later, SIGKILL. Commands of the `Bash` tool are not in the group: the CLI (2.1.328)
//! gives each a session of its own, and stops them itself when it gets SIGTERM, for which it needs
//! some 100 ms. With a CLI that has to be killed, all that it has started is killed, also outside
//! of its group: its children, theirs and so on.
//!
//! The other process is a small script for `/bin/sh`, the watcher. This program starts it with the
//! first run and ends it with the last. It learns of each process group before the CLI starts, so
//! no moment is too early. If it cannot be started, no run can: [`ConnectError::Spawn`] names
//! `/bin/sh`. If it was killed, the next run that begins or ends replaces it.
//!
//! The watcher cannot help in these cases:
//!
//! - A process that has left the CLI's group is left alone if the CLI, or whatever else has started
//!   it, has ended before: a daemon, and a command of the `Bash` tool if the CLI gets SIGKILL from
//!   outside.
//! - With [`ProcessGroup::Inherited`], the default of a program at a terminal, the CLI has no group
//!   of its own: commands that a CLI leaves behind stay, unless it has to be killed, and a CLI that
//!   ignores the end of its input survives if this program is killed just when it starts the CLI.
//! - Who kills all processes at once, as the end of a container does, also kills the watcher.
//!   Temporary files may then remain.
//! - A copy of this program that `fork` makes, without `exec`, counts as this program: runs stay
//!   open until it has ended, too.
//! - A [`Transport`] of your own sees to its processes itself.
//!
//! # Telemetry
//!
//! A run reports `tracing` spans of the level INFO with the names of OpenTelemetry's conventions
//! for generative AI. Without a subscriber for them they cost nothing.
//!
//! | span | is open | fields |
//! |---|---|---|
//! | `invoke_agent` | from the start of the CLI to its end; its parent is the span in which the run is started | `gen_ai.agent.name`, `gen_ai.request.model`, `gen_ai.conversation.id`, and the tokens of all turns as `gen_ai.usage.input_tokens`, cached ones included, and `gen_ai.usage.output_tokens` |
//! | `turn` | from the first message of the model to the result | `gen_ai.conversation.id`, and its tokens |
//! | `execute_tool` | from the message with the call to its result, for every tool of the model | `gen_ai.tool.name`, `gen_ai.tool.call.id` |
//! | `callback` | while a callback of yours runs; events in it belong to the span | `toolwright.callback` is `hook`, `permission`, `elicitation` or `dialog`; `claude.hook.event`, `claude.permission.behavior`, `gen_ai.tool.name`, `gen_ai.tool.call.id` |
//! | `tools/call` | while an in-process tool runs | those of every [`ToolRegistry`](crate::ToolRegistry) |
//!
//! What fails has `error.type`, and `ERROR` as its `otel.status_code`.
//! [`trace_context`](AgentOptionsBuilder::trace_context) makes a trace of yours that of the CLI.
//!
//! [`close_grace`]: AgentOptionsBuilder::close_grace
//! [`terminate_grace`]: AgentOptionsBuilder::terminate_grace
//! [`ProcessGroup::Inherited`]: transport::ProcessGroup::Inherited

mod any_error;
mod callback_output;
mod callbacks;
mod channel;
mod client;
mod connected;
mod control;
mod core;
pub mod dialog;
mod driver;
pub mod elicitation;
mod error;
mod handle;
pub mod hook;
mod in_path;
mod inbox;
mod jobs;
mod lifecycle;
mod mail;
#[cfg(test)]
mod memory_cli;
pub mod message;
#[cfg(feature = "sessions")]
mod mirror;
pub mod options;
pub mod permission;
mod progress;
mod prompt;
mod query;
mod reach;
mod reader;
pub mod requests;
#[cfg(feature = "sessions")]
mod resume;
mod run_end;
mod run_ref;
mod runtime;
mod servers;
#[cfg(feature = "sessions")]
pub mod sessions;
mod setters;
mod status;
mod texts;
mod trace;
pub mod transport;
mod turn;
mod turns;
mod user;
pub(crate) mod uuid;
#[cfg(feature = "view")]
pub mod view;
mod warm;
mod wire;
mod writer;

pub use any_error::Error;
#[doc(no_inline)]
pub use async_trait::async_trait;
pub use callback_output::CallbackOutput;
pub use client::{AgentClient, Messages};
pub use dialog::{DialogAnswer, DialogRequest};
pub use elicitation::{ElicitationAnswer, ElicitationRequest};
pub use error::{ConnectError, ControlError, ProcessExit, RunError};
pub use handle::Handle;
pub use hook::{HookContext, HookMatcher, HookOutput, OnFailure};
pub use message::Message;
pub use options::{AgentOptions, AgentOptionsBuilder};
pub use permission::{Permission, PermissionMode, PermissionPolicy, PermissionRequest};
pub use progress::ToolProgress;
pub use prompt::{Priority, Prompt, UserPrompt};
pub use query::{Query, query, query_with};
pub use status::{ContextUsage, Interrupted, McpServerStatus, Rewound, ServerInfo};
pub use texts::Texts;
pub use transport::Transport;
pub use turn::Turn;
pub use warm::{WarmPool, WarmQuery, prewarm, prewarm_with};
pub use wire::RawJson;
#[cfg(feature = "testing")]
pub(crate) use wire::decode_line;
