//! Clients and stand-ins for tests.
//!
//! - [`TestClient`] starts a server program and speaks MCP to it.
//! - `ScriptedCli` plays the `claude` program in memory (with the feature `agent`).
//! - `ScriptedModel` is a Messages API for the real `claude` program (feature `scripted-model`).
//!
//! ```no_run
//! use toolwright::testing::TestClient;
//!
//! let mut client = TestClient::spawn(&mut std::process::Command::new("./calc"))?;
//! client.initialize()?;
//! assert_eq!(client.list_tools()?.len(), 1);
//! # Ok::<(), std::io::Error>(())
//! ```

mod client;
#[cfg(feature = "agent")]
mod scripted_cli;
#[cfg(feature = "scripted-model")]
mod scripted_model;

pub use client::{Direction, TestClient};
#[cfg(feature = "agent")]
pub use scripted_cli::{PlayedCall, Recorder, ScriptedCli, Turn};
#[cfg(feature = "scripted-model")]
pub use scripted_model::{Gate, RecordedRequest, Reply, ScriptedModel, ToolResult};
