//! Serves a [`ToolRegistry`] over MCP on standard input and output.
//!
//! ```no_run
//! use std::process::ExitCode;
//! use toolwright::{ToolRegistry, tool, tools};
//!
//! /// Add two numbers.
//! #[tool(read_only)]
//! async fn add(a: f64, b: f64) -> f64 {
//!     a + b
//! }
//!
//! fn main() -> ExitCode {
//!     toolwright_stdio::main(|| ToolRegistry::builder("calc").tools(tools![add]).build())
//! }
//! ```
//!
//! Without arguments the program serves. It also has [commands](main#the-command-line): `calc list`
//! shows the tools, and `calc call add a=2 b=40` calls one. To give them to Claude Code, for one
//! run or for good:
//!
//! ```text
//! claude --mcp-config "$(calc config)"
//! claude mcp add calc -- /path/to/calc
//! ```
//!
//! Claude Desktop reads the same form as `calc config` prints, from its
//! `claude_desktop_config.json`.
//!
//! From the start of serving, and with [`main`] before the registry is built, only the protocol
//! uses the descriptors that were 0 and 1. The program sees the null device as its standard input,
//! and its output to standard output or error goes to the real standard error, so that no
//! `println!`, C library or child process can disturb the protocol.
// Only docs.rs sets this; its pages say which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test says by panicking that it failed"))]

#[cfg(not(unix))]
compile_error!(
    "toolwright-stdio needs Unix, as it replaces descriptors 0 and 1; elsewhere serve over HTTP with \
     the feature `http` of toolwright"
);

mod options;
mod input;
mod output;
mod sentinel;
mod reader;
mod server;
mod serving;
mod runtimes;
#[cfg(feature = "http")]
mod listening;
#[cfg(feature = "cli")]
mod cli;
mod program;

use std::future::{Future, pending};

use tokio::runtime::Handle;
use toolwright::ToolRegistry;
use toolwright_console::wire;

pub use options::Options;
pub use program::{main, main_async, main_async_with, main_with};
pub use toolwright::host::Limits;
#[doc(inline)]
pub use toolwright_console::ServeError;

/// Serves until the client closes its end of standard input. Needs a tokio runtime with its time
/// driver. The program handles signals itself.
///
/// Tools run on the same runtime. A tool that blocks one of its threads delays the other tasks
/// there: tools that wait and, if it is the only thread, time-outs and the end of serving. With
/// [`main`] a tool cannot delay these two.
///
/// # Errors
///
/// [`ServeError`] if serving cannot begin. Once it has begun, only the client ends it.
pub async fn serve(registry: ToolRegistry) -> Result<(), ServeError> {
    serve_until(registry, Options::default(), pending()).await
}

/// Like [`serve`], with the given bounds, and only until `stop` is ready. At the end running calls
/// have [`Options::grace`] to finish. A thread still waits for input afterwards: what comes next is
/// lost, also to another process that shares the input.
///
/// # Errors
///
/// See [`serve`].
pub async fn serve_until(
    registry: ToolRegistry,
    options: Options,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let (_guard, server) = serving::start(wire::take()?, &registry, options, Handle::current())?;
    server.run(stop).await;
    Ok(())
}
