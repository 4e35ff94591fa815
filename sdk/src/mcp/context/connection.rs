//! What all calls of a session share.

use std::sync::{Arc, Weak};

use crate::mcp::extensions::Extensions;
use crate::mcp::link::Link;
use crate::mcp::protocol::LoggingLevel;
use crate::mcp::rounds::Keeper;

/// Where a session runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Host {
    /// A program that serves on its standard input and output.
    Stdio,
    /// Inside another program, or on a connection of `host::serve`.
    InProcess,
    /// On HTTP.
    Http,
    /// Without a client: a unit test, or [`ToolRegistry::call`](crate::ToolRegistry::call).
    Detached,
}

/// What all calls of a session share. `initialize` and `logging/setLevel` change it; a call keeps
/// the values from its beginning.
#[derive(Clone)]
pub(crate) struct Connection {
    /// Tells the sessions of a program apart, in its traces.
    pub(crate) number: u64,
    pub(crate) host: Host,
    pub(crate) link: Option<Weak<dyn Link>>,
    /// The client's description of itself and its capabilities, as JSON texts, if there was a
    /// handshake.
    pub(crate) client: Option<Box<str>>,
    pub(crate) capabilities: Option<Box<str>>,
    /// The least severity of log messages to send, if the request does not name one.
    pub(crate) log_level: LoggingLevel,
    pub(crate) extensions: Arc<Extensions>,
    /// Keeps what calls have asked, between their rounds.
    pub(crate) keeper: Arc<dyn Keeper>,
}
