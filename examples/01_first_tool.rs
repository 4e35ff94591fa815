//! Two functions as the tools of an MCP server.
//!
//! Run with `cargo run --example 01_first_tool -- list`; without `-- list` it serves.

use std::process::ExitCode;

use toolwright::{ToolRegistry, tool, tools};

/// Add two numbers.
///
/// Returns the exact sum.
#[tool(read_only, idempotent)]
async fn add(
    /// Left operand.
    a: f64,
    /// Right operand.
    b: f64,
) -> f64 {
    a + b
}

/// Count the words of a text.
#[tool(read_only)]
async fn count_words(
    /// Any text.
    text: &str,
) -> usize {
    text.split_whitespace().count()
}

fn main() -> ExitCode {
    toolwright_stdio::main(|| {
        ToolRegistry::builder("calc")
            .version(env!("CARGO_PKG_VERSION"))
            .tools(tools![add, count_words])
            .build()
    })
}
