//! A server with the descriptors of the process.

use tokio::runtime::Handle;
use toolwright::ToolRegistry;
use toolwright_console::wire::{Guard, Wire};

use crate::server::Server;
use crate::{Options, ServeError};

/// Tools run on `tools`, which need not be driven yet; everything else that waits is on the current
/// runtime. The server is dropped before the guard.
pub(crate) fn start(
    (wire, mut guard): (Wire, Guard),
    registry: &ToolRegistry,
    options: Options,
    tools: Handle,
) -> Result<(Guard, Server), ServeError> {
    guard.redirect()?;
    let server = Server::start(registry, options, wire, tools)?;
    guard.drain()?;
    Ok((guard, server))
}
