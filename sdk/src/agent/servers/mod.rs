//! The in-process MCP servers of a run. Control requests bring messages for them.
//!
//! This is the only folder that knows both protocols. A message goes through [`Servers::receive`]
//! to the session of its server; what the session says leaves as `Channel::answer_mcp`, the answer
//! to a control request, or as `Channel::send_mcp`, a control request of ours. What the session asks
//! its client for is answered here and never leaves.

mod questions;
mod route;
mod server;

use std::sync::Arc;

use tokio::sync::watch;

use super::callbacks::Callbacks;
use super::channel::Channel;
use super::control::ReceivedId;
use super::jobs::Jobs;
use super::options::AgentOptions;
use super::run_ref::RunRef;
use crate::ToolRegistry;
use questions::Questions;
use route::Route;
use server::Server;

/// The servers. The same registry may serve many runs; each run has sessions of its own.
pub(crate) struct Servers {
    channel: Arc<Channel>,
    servers: Vec<Server>,
}

impl Servers {
    /// `running` is dropped once the servers are closed and no call runs any more.
    pub(crate) fn new(
        channel: &Arc<Channel>,
        jobs: &Arc<Jobs>,
        callbacks: &Arc<Callbacks>,
        options: &AgentOptions,
        run: &RunRef,
        running: &Arc<watch::Sender<()>>,
    ) -> Self {
        let roots = Arc::new(options.roots());
        let server = |registry: &ToolRegistry| {
            let questions = Questions::new(registry.name(), callbacks, &roots);
            let route = Route::new(questions, channel.clone());
            Server::new(registry, Arc::new(route), jobs.clone(), run.clone(), running.clone())
        };
        let servers = options.tools.registries.iter().map(server).collect();
        Self { channel: channel.clone(), servers }
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

    /// The run has ended: all calls stop. Tools often hold a handle of their own run, so they are
    /// dropped now.
    pub(crate) fn close(&self) {
        self.servers.iter().for_each(|server| server.close());
    }
}

#[cfg(test)]
mod tests;
