//! Clients and stand-ins for tests.
//!
//! ```
//! use toolwright::testing::TestClient;
//! use toolwright::{ToolRegistry, json, tool, tools};
//!
//! #[tool]
//! async fn add(a: f64, b: f64) -> f64 {
//!     a + b
//! }
//!
//! let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
//! let mut client = TestClient::in_memory(&registry)?;
//! assert_eq!(client.call_as::<f64>("add", json!({"a": 2, "b": 40}))?, 42.0);
//! let refused = client.expect_error("add", json!({"a": "two", "b": 40}))?;
//! assert!(refused.contains("/a: expected number, got string \"two\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What to use for which test:
//!
//! | test | with |
//! |---|---|
//! | what a function computes | a plain call of the function |
//! | what it reports, and that it can be cancelled | [`Context::detached`] |
//! | what a model sends and reads, time-outs, many calls at once | [`TestClient::in_memory`] |
//! | a call that goes on as a task, its questions, its end | [`TestClient::tasks`] |
//! | a server program | [`TestClient::spawn`] |
//! | that names, descriptions and schemas stay | [`TestClient::check_golden`] |
//! | an agent, without a model | `ScriptedCli` plays `claude` in memory (feature `agent`) |
//! | an agent, as it once ran | `Recording` and `ScriptedCli::replay` (feature `agent`) |
//! | an agent with the real `claude` | `ScriptedModel` plays its model (feature `scripted-model`) |
//! | a store of sessions | `store_conformance` (feature `sessions`) |
//!
//! [`Context::detached`]: crate::Context::detached

mod client;
#[cfg(any(feature = "agent", feature = "scripted-model"))]
mod gate;
#[cfg(feature = "agent")]
mod recording;
#[cfg(any(feature = "agent", feature = "scripted-model"))]
mod reply;
#[cfg(feature = "agent")]
mod scripted_cli;
#[cfg(feature = "scripted-model")]
mod scripted_model;
#[cfg(feature = "sessions")]
mod store_conformance;

pub use client::{Direction, TaskStatus, TestClient, TestTask};
#[cfg(any(feature = "agent", feature = "scripted-model"))]
pub use gate::Gate;
#[cfg(feature = "agent")]
pub use recording::Recording;
#[cfg(any(feature = "agent", feature = "scripted-model"))]
pub use reply::Reply;
#[cfg(feature = "agent")]
pub use scripted_cli::{PlayedCall, Recorder, ScriptedCli, Turn};
#[cfg(feature = "scripted-model")]
pub use scripted_model::{RecordedRequest, RecordedToolResult, ScriptedModel};
#[cfg(feature = "sessions")]
pub use store_conformance::store_conformance;
