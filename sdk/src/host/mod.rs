//! What every host of an MCP session needs beside it: where calls run and wait, how they stop.
//!
//! ```
//! use std::io::{Write, stdout};
//! use toolwright::host::{Limits, Received, Runner, Shell};
//! use toolwright::mcp::{Host, Outbox};
//! use toolwright::{ToolRegistry, tool, tools};
//!
//! /// Writes what the session says to standard output.
//! struct Stdout;
//!
//! impl Shell for Stdout {
//!     fn said(&self, outbox: &mut Outbox) {
//!         // A real shell does not block here.
//!         let _ = stdout().write_all(&outbox.take(Vec::new()));
//!     }
//! }
//!
//! #[tool]
//! async fn greet(name: &str) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), toolwright::BuildError> {
//! let registry = ToolRegistry::builder("greeter").tools(tools![greet]).build()?;
//! let runner = Runner::new(&registry, Host::InProcess, Outbox::new(), Stdout, Limits::default());
//! let lines = [r#"{"jsonrpc":"2.0","id":1,"method":"tools/call",
//!     "params":{"name":"greet","arguments":{"name":"Ada"}}}"#];
//! for line in lines {
//!     if let Received::Call(call) = runner.receive(line.as_bytes()) {
//!         runner.run(call);
//!     }
//! }
//! // What is not answered by now would be told of a shutdown.
//! runner.idle().await;
//! runner.close();
//! # Ok(())
//! # }
//! ```
//!
//! A [`Runner`] has one session. The host gives it the lines of the client; it admits calls within
//! its [`Limits`], runs them, and gives what the session says to the host's [`Shell`]. Calls run on
//! a tokio runtime, so a host that blocks while it reads does that on a thread of its own. One that
//! is done [closes](Runner::close) the runner: calls that run hold it.

mod limits;
mod queue;
mod shell;
mod table;
mod threads;
mod runner;
mod admission;
mod calls;

pub use admission::{Admission, Received};
pub use limits::Limits;
pub use runner::Runner;
pub use shell::Shell;

#[cfg(test)]
mod tests;
