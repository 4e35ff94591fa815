//! Rust functions as Claude tools.
//!
//! ```
//! use toolwright::{ToolRegistry, json, tool, tools};
//!
//! /// Add two numbers.
//! #[tool(read_only, idempotent)]
//! async fn add(
//!     /// Left operand.
//!     a: f64,
//!     /// Right operand.
//!     b: f64,
//! ) -> f64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
//! let sum = registry.call("add", json!({"a": 2, "b": 40})).await?;
//! assert_eq!(sum.to_text(), "42");
//! # Ok(())
//! # }
//! ```
//!
//! The function stays what it was; [`tool`] adds a type of its name beside it, which [`tools!`]
//! collects. A [`ToolRegistry`] answers MCP, the Model Context Protocol, wherever it is put:
//!
//! - as a program of its own on standard input and output, with the package `toolwright-stdio`;
//! - inside a program that runs Claude, with the feature `agent`: `toolwright::agent`;
//! - in a test, with [`ToolRegistry::call`];
//! - in a host of yours, with [`mcp::Session`]: lines in, lines out, no I/O.
//!
//! What a function may take and return: see [`mcp::Param`], [`mcp::RefParam`] and [`IntoOutput`].
//! Types of your own get `#[toolwright::data]` ([`data`]), which adds the derives that they need.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `agent` | the client that runs the `claude` program |
//! | `testing` | a client for server programs; with `agent` also a stand-in for the `claude` program |
//! | `scripted-model` | a Messages API on loopback for the real `claude` program (brings axum) |
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test says by panicking that it failed"))]

extern crate self as toolwright;

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "agent")]
pub mod agent;
#[cfg(feature = "host")]
pub mod host;
pub mod jsonl;
pub mod mcp;
mod panics;
mod scan;
#[cfg(feature = "testing")]
pub mod testing;

pub use mcp::protocol::{
    Annotations, Audio, Content, EmbeddedResource, Eras, Icon, Image, LoggingLevel, ResourceLink,
    ToolAnnotations,
};
pub use mcp::{
    Args, BuildError, CallError, CancelToken, Context, Host, IntoOutput, Json, Tool, ToolRegistry,
    ToolRegistryBuilder, ToolResult,
};
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};
pub use serde_json::{Value, json};
pub use toolwright_macros::{data, tool};

/// Collects tools: `tools![add, math::mul]` is a list of `add::tool()` and `math::mul::tool()`.
#[macro_export]
macro_rules! tools {
    ($($tool:path),* $(,)?) => {
        [$(<$tool as $crate::__private::ToolFunction>::tool()),*]
    };
}
