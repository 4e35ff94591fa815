//! For tests: a client that drives a server program, and a model that the real `claude` program talks to.

mod client;
#[cfg(feature = "scripted-model")]
mod scripted_model;

pub use client::{Direction, TestClient};
#[cfg(feature = "scripted-model")]
pub use scripted_model::{RecordedRequest, Reply, ScriptedModel, ToolResult};
