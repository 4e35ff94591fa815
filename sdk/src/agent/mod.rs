//! Runs Claude from Rust: the `claude` program as a child process, with your tools, hooks and
//! permissions in this process.
//!
//! ```toml
//! [dependencies]
//! tokio = { version = "1", features = ["macros", "rt"] }
//! toolwright = { version = "0.1", features = ["agent"] }
//! ```
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
//! | talk over several turns | [`AgentClient`] |
//! | give Claude tools of this program | [`AgentOptionsBuilder::mcp_server`] with a [`ToolRegistry`](crate::ToolRegistry) |
//! | decide which tools may run | [`AgentOptionsBuilder::can_use_tool`], [`PermissionPolicy`] |
//! | watch or change what Claude does | [`AgentOptionsBuilder::hook`], [`HookMatcher`] |
//! | interrupt, or change the model of, a run | [`Handle`] |
//! | read the messages | [`Message`] |
//! | handle errors | [`Error`], or the error of each operation |
//! | reach a CLI elsewhere | [`Transport`] |
//! | test without a model | `toolwright::testing::ScriptedCli`, with the feature `testing` |

mod any_error;
mod callbacks;
mod channel;
mod client;
mod connected;
mod control;
mod core;
mod driver;
mod error;
mod handle;
pub mod hook;
mod inbox;
mod jobs;
mod lifecycle;
pub mod message;
pub mod options;
pub mod permission;
mod prompt;
mod query;
mod reader;
mod run_end;
mod runtime;
mod servers;
mod setters;
mod status;
pub mod transport;
mod turns;
mod wire;
mod writer;

pub use any_error::Error;
pub use client::{AgentClient, Messages};
pub use error::{ConnectError, ControlError, ProcessExit, RunError};
pub use handle::Handle;
pub use hook::{HookContext, HookMatcher, HookOutput};
pub use message::Message;
pub use options::{AgentOptions, AgentOptionsBuilder};
pub use permission::{Permission, PermissionMode, PermissionPolicy, PermissionRequest};
pub use prompt::{Priority, Prompt, UserPrompt};
pub use query::{Query, query, query_with};
pub use status::{ContextUsage, Interrupted, McpServerStatus, Rewound, ServerInfo};
pub use transport::Transport;
pub use wire::RawJson;
