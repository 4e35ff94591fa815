//! What every host of an MCP session needs: it admits calls, queues them, runs them and stops them.
//! [`serve`] is a host for connections of any kind, such as sockets. Others drive a [`Runner`]:
//!
//! ```
//! use std::io::{Write, stdout};
//! use toolwright::host::{Limits, Received, Runner, Shell};
//! use toolwright::mcp::{Host, Outbox};
//! use toolwright::{BuildError, ToolRegistry, tool, tools};
//!
//! /// Writes the messages of the session to standard output.
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
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), BuildError> {
//! let registry = ToolRegistry::builder("greeter").tools(tools![greet]).build()?;
//! let runner = Runner::new(&registry, Host::InProcess, Outbox::new(), Stdout, Limits::default());
//! let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call",
//!     "params":{"name":"greet","arguments":{"name":"Ada"}}}"#;
//! match runner.receive(line) {
//!     Received::Call(call) => runner.run(call),
//!     Received::Batch(batch) => batch.calls.into_iter().for_each(|call| runner.run(call)),
//!     _ => {}
//! }
//! // `close` would stop the calls that are not answered by now.
//! runner.idle().await;
//! runner.close();
//! # Ok(())
//! # }
//! ```
//!
//! A [`Runner`] has one session. The host passes it the lines of the client; it admits calls within
//! its [`Limits`], runs them, and passes the session's messages to the host's [`Shell`]. Calls run
//! on a tokio runtime, so a host that blocks while it reads does that on a thread of its own. At
//! the end the host [closes](Runner::close) the runner: running calls hold it.

mod limits;
mod queue;
mod shell;
mod table;
mod threads;
pub(crate) mod tasks;
mod in_place;
mod runner;
mod job;
mod admission;
mod promotion;
mod calls;
mod stream;

pub use admission::{Admission, Received};
pub use limits::Limits;
pub use runner::Runner;
pub use shell::Shell;
pub use stream::serve;
#[cfg(any(feature = "agent", feature = "http"))]
pub(crate) use threads::Threads;

#[cfg(test)]
mod tests;
