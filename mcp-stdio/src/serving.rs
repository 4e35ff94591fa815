//! A server with the descriptors of the process.

use std::future::Future;
use std::thread;

use tokio::runtime::Handle;
use toolwright::ToolRegistry;
use toolwright_console::wire::{self, Guard};

use crate::server::Server;
use crate::{Options, ServeError};

/// Serves until it is dropped.
pub(crate) struct Serving {
    server: Server,
    _guard: Guard,
}

impl Serving {
    /// Tools run on `tools`, which need not be driven yet; everything else that waits is on the
    /// current runtime.
    pub(crate) fn start(
        registry: &ToolRegistry,
        options: Options,
        tools: Handle,
    ) -> Result<Self, ServeError> {
        let (wire, mut guard) = wire::take()?;
        let server = Server::start(registry, options, wire, tools)?;
        // The first answer needs nothing of what follows, and with one processor would wait for it.
        thread::yield_now();
        guard.drain()?;
        Ok(Self { server, _guard: guard })
    }

    /// Serves until the client ends or `stop` is ready. Needs a runtime with a time driver.
    pub(crate) async fn run(self, stop: impl Future<Output = ()>) {
        self.server.run(stop).await;
    }
}
