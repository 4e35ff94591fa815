//! How the bytes get to the CLI and back. [`Process`] starts the program; other hosts implement
//! [`Transport`].
//!
//! # Another host
//!
//! A CLI in a container, on another machine or in the same process is a type that implements
//! [`Transport`] with the `async-trait` crate. Its `connect` gets what the CLI is to be started
//! with, starts or finds one, and returns three parts, which the run then uses at the same time:
//!
//! - [`Incoming`] appends bytes as they come, in pieces of any size; the run cuts the lines. It may
//!   be dropped while it waits, so it must not keep bytes in a local variable across an await. It
//!   returns 0 once the CLI has ended and all that it said was delivered.
//! - [`Outgoing`] gets whole lines and waits while the other side takes no more, without blocking
//!   the thread. [`end`](Outgoing::end) is what makes a CLI finish: pass it on as the end of the
//!   CLI's standard input.
//! - [`Peer`] knows how the CLI ends. [`wait(false)`](Peer::wait) only waits; `wait(true)` comes
//!   after `end` and is bounded: it forces what does not end by itself. Both are dropped and called
//!   again as the run sees fit. Dropping the peer must bring the CLI to its end, too, and without
//!   the runtime, which may be gone.
//!
//! Standard error is the transport's own business: it must be read whatever the run does, and its
//! end belongs into [`ProcessExit::stderr`].
//!
//! ```
//! use std::io;
//!
//! use async_trait::async_trait;
//! use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, split};
//! use toolwright::agent::transport::{Connection, Incoming, Launch, Outgoing, Peer, Transport};
//! use toolwright::agent::{ConnectError, ProcessExit};
//!
//! /// A CLI that is played by this program.
//! struct InMemory(DuplexStream);
//! struct Said(ReadHalf<DuplexStream>);
//! struct Told(WriteHalf<DuplexStream>);
//! struct Played;
//!
//! #[async_trait]
//! impl Transport for InMemory {
//!     async fn connect(self: Box<Self>, _: Launch) -> Result<Connection, ConnectError> {
//!         let (said, told) = split(self.0);
//!         Ok(Connection { incoming: Box::new(Said(said)), outgoing: Box::new(Told(told)), peer: Box::new(Played) })
//!     }
//! }
//!
//! #[async_trait]
//! impl Incoming for Said {
//!     async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
//!         self.0.read_buf(buffer).await
//!     }
//! }
//!
//! #[async_trait]
//! impl Outgoing for Told {
//!     async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
//!         self.0.write_all(bytes).await
//!     }
//!
//!     async fn end(&mut self) -> io::Result<()> {
//!         self.0.shutdown().await
//!     }
//! }
//!
//! #[async_trait]
//! impl Peer for Played {
//!     async fn wait(&mut self, _closing: bool) -> ProcessExit {
//!         ProcessExit::default()
//!     }
//! }
//! ```

mod child;
mod discovery;
mod environment;
mod peer;
mod pipes;
mod process;
mod reaper;
mod stderr;
mod version;

pub use process::{Process, ProcessGroup};
pub use version::check_version;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use async_trait::async_trait;

use crate::agent::error::{ConnectError, ProcessExit};

/// A way to reach a CLI.
#[async_trait]
pub trait Transport: Send {
    /// Starts it, or gets hold of one that runs.
    ///
    /// # Errors
    ///
    /// Why there is none.
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError>;
}

/// What the CLI is started with. A transport that does not start one may ignore it.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Launch {
    /// The arguments, without the program.
    pub args: Vec<OsString>,
    /// The environment: these variables are added to (`Some`) or taken from (`None`) the program's
    /// own.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Nothing is inherited from the program's own environment.
    pub env_clear: bool,
    /// The working folder; the program's own without it.
    pub cwd: Option<PathBuf>,
}

/// An open way to a CLI. The three parts are used at the same time.
pub struct Connection {
    /// What the CLI says.
    pub incoming: Box<dyn Incoming>,
    /// What is said to the CLI.
    pub outgoing: Box<dyn Outgoing>,
    /// The CLI itself.
    pub peer: Box<dyn Peer>,
}

/// The bytes that the CLI writes.
#[async_trait]
pub trait Incoming: Send {
    /// Waits for bytes and appends them to `buffer`. 0 is the end, which comes no later than soon
    /// after the CLI's own end, whoever else may still be able to write. A call that is dropped
    /// must lose nothing.
    ///
    /// # Errors
    ///
    /// Nothing more can be read.
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize>;
}

/// The bytes that the CLI reads.
#[async_trait]
pub trait Outgoing: Send {
    /// Writes all of `bytes`, which are whole lines. A call that is dropped may have written a
    /// part, and then no more can be written.
    ///
    /// # Errors
    ///
    /// The CLI takes nothing more.
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Closes the CLI's input: nothing more will be said.
    ///
    /// # Errors
    ///
    /// What was written before may not have arrived.
    async fn end(&mut self) -> io::Result<()>;
}

/// The CLI's process, or what stands for it. Dropping it must leave nothing behind: where waiting
/// is needed, a detached thread does it.
#[async_trait]
pub trait Peer: Send {
    /// Waits for its end, forcing it step by step once `closing` says so: grace after the end of
    /// input, SIGTERM, grace, SIGKILL. May be called again after it was dropped half way.
    async fn wait(&mut self, closing: bool) -> ProcessExit;

    /// Its process id, while it runs.
    fn id(&self) -> Option<u32> {
        None
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("id", &self.peer.id()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
