//! The agent client: runs the `claude` command-line program, speaks its newline-delimited JSON and
//! control protocol, and answers its `mcp_message` requests from a
//! [`ToolRegistry`](crate::ToolRegistry).
//!
//! [`query`] runs one prompt, [`AgentClient`] holds a conversation. Both are the same run
//! underneath: `connected` starts the CLI through a [`Transport`], `driver` takes what it says,
//! `incoming` answers what it asks, `core` is what they share.

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
mod lifecycle;
pub mod message;
pub mod options;
pub mod permission;
mod prompt;
mod query;
mod reader;
mod run_end;
mod servers;
mod status;
pub mod transport;
mod turns;
mod wire;
mod writer;

pub use client::{AgentClient, Messages};
pub use error::{ConnectError, ControlError, ProcessExit, RunError};
pub use handle::Handle;
pub use hook::{HookContext, HookMatcher, HookOutput};
pub use message::Message;
pub use options::{AgentOptions, AgentOptionsBuilder};
pub use permission::{Permission, PermissionMode, PermissionPolicy, PermissionRequest};
pub use prompt::{Priority, Prompt, UserPrompt};
pub use query::{Run, query, query_with};
pub use status::{ContextUsage, Interrupted, McpServerStatus, Rewound, ServerInfo};
pub use transport::Transport;
pub use wire::RawJson;
