//! The in-process MCP servers of a run. Control requests bring messages for them.
//!
//! This is the only folder that knows both protocols. In go [`Servers::receive`],
//! [`Servers::cancel`] and [`Servers::close`]; out come `Channel::answer_mcp`, the answer to a
//! control request, and `Channel::send_mcp`, a control request of ours.

mod calls;
mod server;

use std::sync::Arc;

use super::channel::Channel;
use super::control::ReceivedId;
use crate::ToolRegistry;
use crate::threads::Threads;
use server::Server;

/// The servers. The same registry may serve many runs; each run has sessions of its own.
pub(crate) struct Servers {
    channel: Arc<Channel>,
    servers: Vec<Arc<Server>>,
}

impl Servers {
    pub(crate) fn new(channel: &Arc<Channel>, registries: &[ToolRegistry]) -> Self {
        let threads = Arc::new(Threads::new(64));
        let server =
            |registry: &ToolRegistry| Server::new(registry, channel.clone(), threads.clone());
        Self { channel: channel.clone(), servers: registries.iter().map(server).collect() }
    }

    /// Takes the message for a server that the control request `id` brought. The request is
    /// answered now or when the call that the message asks for is done.
    pub(crate) fn receive(&self, id: ReceivedId, server: &str, message: &str) {
        match self.servers.iter().find(|known| known.name() == server) {
            Some(server) => server.receive(id, message),
            None => {
                self.channel.refuse(&id, &format!("SDK MCP server not found: {server}"), None);
            }
        }
    }

    /// The CLI has cancelled a control request: the call that it brought stops.
    pub(crate) fn cancel(&self, id: &ReceivedId) {
        self.servers.iter().for_each(|server| server.cancel(id));
    }

    /// The run has ended: all calls stop. Tools often hold a handle of their own run, so they are
    /// dropped now.
    pub(crate) fn close(&self) {
        self.servers.iter().for_each(|server| server.close());
    }
}
