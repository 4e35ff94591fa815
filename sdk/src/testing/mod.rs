//! Test doubles: [`TestClient`] drives a server program, `ScriptedCli` plays the `claude` program
//! in memory, and `ScriptedModel` is a Messages API for the real `claude` program.

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
