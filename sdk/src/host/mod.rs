//! What every host of an MCP session needs beside it: where calls run and wait, how they stop.
//!
//! ```no_run
//! use std::io::{BufRead, Write, stdin, stdout};
//! use toolwright::ToolRegistry;
//! use toolwright::host::{Limits, Received, Runner, Shell};
//! use toolwright::mcp::{Host, Outbox};
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
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), toolwright::BuildError> {
//!     let registry = ToolRegistry::builder("calc").build()?;
//!     let runner = Runner::new(&registry, Host::Stdio, Outbox::new(), Stdout, Limits::default());
//!     for line in stdin().lock().lines().map_while(Result::ok) {
//!         if let Received::Call(call) = runner.receive(line.as_bytes()) {
//!             runner.run(call);
//!         }
//!     }
//!     runner.close();
//!     Ok(())
//! }
//! ```
//!
//! A [`Runner`] has one session. The host gives it the lines of the client; it admits calls within
//! its [`Limits`], runs them, and gives what the session says to the host's [`Shell`].

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
