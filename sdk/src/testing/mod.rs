//! For tests: a client that drives a server program, a CLI that is played in memory, and a model
//! that the real `claude` program talks to.

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
