//! Transports: how bytes get to the CLI and back.
//!
//! [`Process`] starts the `claude` program and is what a run uses by default. Another transport
//! reaches a CLI in a container, on another machine or in the same process:
//!
//! ```
//! use std::io;
//!
//! use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, split};
//! use toolwright::agent::transport::{Connection, Incoming, Launch, Outgoing, Peer, Transport};
//! use toolwright::agent::{ConnectError, ProcessExit, async_trait};
//!
//! /// A CLI that this program plays.
//! struct InMemory(DuplexStream);
//! struct Output(ReadHalf<DuplexStream>);
//! struct Input(WriteHalf<DuplexStream>);
//! struct NoProcess;
//!
//! #[async_trait]
//! impl Transport for InMemory {
//!     async fn connect(self: Box<Self>, _: Launch) -> Result<Connection, ConnectError> {
//!         let (output, input) = split(self.0);
//!         Ok(Connection::new(Output(output), Input(input), NoProcess))
//!     }
//! }
//!
//! #[async_trait]
//! impl Incoming for Output {
//!     async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
//!         self.0.read_buf(buffer).await
//!     }
//! }
//!
//! #[async_trait]
//! impl Outgoing for Input {
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
//! impl Peer for NoProcess {
//!     async fn wait(&mut self, closing: bool) -> ProcessExit {
//!         // Until the run is closed, the end of the output is what ends it.
//!         if !closing {
//!             std::future::pending::<()>().await;
//!         }
//!         ProcessExit::default()
//!     }
//! }
//! ```
//!
//! A run uses the three parts of a [`Connection`] at the same time. Standard error is the
//! transport's own business: it must be read whatever the run does, and its end belongs into
//! [`ProcessExit::stderr`].

mod launch;

mod alone;
mod discovery;
mod environment;
mod shell;
mod stderr;
mod version;

mod watcher;

mod group;
mod watched;

mod child;

mod peer;
mod pipes;
mod reaper;

mod process;

#[cfg(feature = "sessions")]
pub(crate) use alone::alone;
pub(crate) use launch::with_value;
pub use launch::{Launch, LaunchFile, NamedBy};
pub(crate) use peer::exited;
pub use process::{Process, ProcessGroup};
pub(crate) use stderr::Callback as StderrCallback;
pub use version::check_version;
pub(crate) use watched::Watched;

use std::io;

use async_trait::async_trait;

use crate::agent::error::{ConnectError, ProcessExit};

/// A way to start or reach a CLI.
///
/// ```no_run
/// use toolwright::agent::transport::Process;
/// use toolwright::agent::{AgentOptions, query_with};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let transport = Process::new().cli_path("/opt/claude/bin/claude");
/// let result =
///     query_with(transport, "What is 2 + 40?", AgentOptions::default()).await?.finish().await?;
/// # Ok(())
/// # }
/// ```
///
/// The [module](self) shows how to implement one. One that is chosen while the program runs is a
/// `Box<dyn Transport>`:
///
/// ```
/// use toolwright::agent::transport::Process;
/// use toolwright::agent::{AgentOptions, Transport, query_with};
/// use toolwright::testing::ScriptedCli;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), toolwright::agent::Error> {
/// # let is_demo = true;
/// let transport: Box<dyn Transport> = match is_demo {
///     true => Box::new(ScriptedCli::new().turn(|turn| turn.say("Hello."))),
///     false => Box::new(Process::new()),
/// };
/// let result = query_with(transport, "Hello!", AgentOptions::default()).await?.finish().await?;
/// assert_eq!(result.text(), "Hello.");
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Transport: Send {
    /// Starts a CLI, or connects to one that runs.
    ///
    /// # Errors
    ///
    /// The CLI cannot be started or reached.
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError>;
}

#[async_trait]
impl Transport for Box<dyn Transport> {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        (*self).connect(launch).await
    }
}

/// An open connection to a CLI. Its three parts are used at the same time.
#[non_exhaustive]
pub struct Connection {
    /// The CLI's output.
    pub incoming: Box<dyn Incoming>,
    /// The CLI's input.
    pub outgoing: Box<dyn Outgoing>,
    /// The CLI's process.
    pub peer: Box<dyn Peer>,
}

/// The CLI's output.
#[async_trait]
pub trait Incoming: Send {
    /// Waits for bytes and appends them to `buffer`, in pieces of any size; the run splits them
    /// into lines. Returns 0 once the CLI has ended and all of its output was delivered, even if
    /// another process still holds the other end open.
    ///
    /// The run may drop the future, so it must not hold bytes across an await.
    ///
    /// # Errors
    ///
    /// Nothing more can be read.
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize>;
}

/// The CLI's input.
#[async_trait]
pub trait Outgoing: Send {
    /// Writes all of `bytes`, which are whole lines. It waits while the CLI does not read, without
    /// blocking the thread. A future that is dropped may have written a part; nothing can be
    /// written after that.
    ///
    /// # Errors
    ///
    /// The CLI does not accept more. The run then fails, unless the output ends within 5 s.
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Closes the CLI's standard input, which makes the CLI finish.
    ///
    /// # Errors
    ///
    /// Earlier bytes may not have arrived.
    async fn end(&mut self) -> io::Result<()>;
}

/// The CLI's process, or what stands for it.
///
/// Dropping it must end the CLI, too, without the runtime, which may be gone: where waiting is
/// needed, a detached thread does it.
#[async_trait]
pub trait Peer: Send {
    /// Waits for the end of the CLI. With `closing`, which follows [`Outgoing::end`], the wait is
    /// bounded: a CLI that does not end gets SIGTERM and then SIGKILL, each after a grace period.
    ///
    /// The run may drop the future and call it again.
    async fn wait(&mut self, closing: bool) -> ProcessExit;

    /// Begins to end the CLI as dropping this does, from any thread and without the runtime. A run
    /// that is dropped calls it, as its runtime may be busy or not run at all. Without it, such a
    /// run ends when the runtime runs again or is shut down.
    fn ender(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        None
    }

    /// The process id, while the process runs.
    fn id(&self) -> Option<u32> {
        None
    }
}

impl Connection {
    /// A connection of these three parts.
    pub fn new(
        incoming: impl Incoming + 'static,
        outgoing: impl Outgoing + 'static,
        peer: impl Peer + 'static,
    ) -> Self {
        Self { incoming: Box::new(incoming), outgoing: Box::new(outgoing), peer: Box::new(peer) }
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("id", &self.peer.id()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
