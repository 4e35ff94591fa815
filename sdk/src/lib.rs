//! Rust functions as Claude tools.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test says by panicking that it failed"))]

extern crate self as toolwright;

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "agent")]
pub mod agent;
pub mod jsonl;
pub mod mcp;
mod scan;
#[cfg(feature = "testing")]
pub mod testing;
#[doc(hidden)]
pub mod threads;

pub use mcp::protocol::{Annotations, Audio, Content, EmbeddedResource, Eras, Icon, Image, LoggingLevel, ResourceLink, ToolAnnotations};
pub use mcp::{
    Args, BuildError, CallError, CancelToken, Context, Host, IntoOutput, Json, Tool, ToolRegistry, ToolRegistryBuilder, ToolResult,
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
