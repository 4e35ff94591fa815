//! The in-process MCP servers of a run. Control requests bring messages for them.
//!
//! This is the only folder that knows both protocols. A message goes through [`Servers::receive`]
//! to the session of its server; what the session says leaves as `Channel::answer_mcp`, the answer
//! to a control request, or as `Channel::send_mcp`, a control request of ours. What the session
//! asks its client for is answered here and never leaves.

mod questions;
mod route;
mod server;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::watch;

use super::callbacks::Callbacks;
use super::channel::Channel;
use super::control::ReceivedId;
use super::jobs::Jobs;
use super::options::{AgentOptions, Roots};
use super::progress::ProgressListener;
use super::run_ref::RunRef;
use crate::ToolRegistry;
use questions::Questions;
use route::Route;
use server::Server;

/// The servers. The same registry may serve many runs; each run has sessions of its own.
pub(crate) struct Servers {
    channel: Arc<Channel>,
    jobs: Arc<Jobs>,
    callbacks: Arc<Callbacks>,
    roots: Arc<Roots>,
    run: RunRef,
    on_progress: Option<ProgressListener>,
    /// Those of the options, by name, as the CLI was told of them.
    pub(super) configs: Map<String, Value>,
    open: Mutex<Open>,
    /// The servers are set by one request at a time: each takes those of the others away.
    pub(super) setting: tokio::sync::Mutex<()>,
}

/// The servers until the run has ended.
#[derive(Default)]
struct Open {
    /// Those of the options.
    begun: Vec<Arc<Server>>,
    /// Those that were added while the run went on.
    added: Vec<Arc<Server>>,
    /// Dropped with the last server and the last call.
    running: Option<Arc<watch::Sender<()>>>,
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
        let ours = options.tools.servers.iter().filter(|server| server.registry().is_some());
        let servers = Self {
            channel: channel.clone(),
            jobs: jobs.clone(),
            callbacks: callbacks.clone(),
            roots: Arc::new(options.roots()),
            run: run.clone(),
            on_progress: options.tools.on_progress.clone(),
            configs: ours.map(|server| (server.name().to_owned(), server.config())).collect(),
            open: Mutex::default(),
            setting: tokio::sync::Mutex::default(),
        };
        let begun = options.tools.registries();
        let begun = begun.map(|(name, registry)| servers.server(name, registry, running)).collect();
        *servers.open() = Open { begun, added: Vec::new(), running: Some(running.clone()) };
        servers
    }

    fn server(
        &self,
        name: &str,
        registry: &ToolRegistry,
        running: &Arc<watch::Sender<()>>,
    ) -> Arc<Server> {
        let questions = Questions::new(name, &self.callbacks, &self.roots);
        let route = Route::new(questions, self.channel.clone(), self.on_progress.clone());
        Arc::new(Server::new(
            registry,
            Arc::new(route),
            self.jobs.clone(),
            self.run.clone(),
            running.clone(),
        ))
    }

    /// Adds servers, but for those whose names there are already. Gives the names of those added.
    pub(crate) fn add<'a>(&self, registries: &[(&'a str, &ToolRegistry)]) -> Vec<&'a str> {
        let Some(running) = self.open().running.clone() else { return Vec::new() };
        let mut names = Vec::new();
        for (name, registry) in registries {
            let server = self.server(name, registry, &running);
            let mut open = self.open();
            if open.running.is_some() && open.find(name).is_none() {
                open.added.push(server);
                names.push(*name);
            } else {
                drop(open);
                server.close();
            }
        }
        names
    }

    /// Closes those of the added servers whose names are not to be kept.
    pub(crate) fn keep(&self, is_kept: impl Fn(&str) -> bool) {
        let mut open = self.open();
        let gone = open.added.extract_if(.., |server| !is_kept(server.name()));
        let gone: Vec<_> = gone.collect();
        drop(open);
        gone.iter().for_each(|server| server.close());
    }

    /// The session has moved to another working folder, in which the tools work from here on.
    pub(crate) fn move_to(&self, cwd: PathBuf) {
        self.roots.move_to(cwd);
    }

    /// The CLI has switched a server off, and waits for none of its calls any more.
    pub(crate) fn switched_off(&self, name: &str) {
        let server = self.open().find(name);
        server.iter().for_each(|server| server.switched_off());
    }

    /// Takes the message for a server that the control request `id` brought. The request is
    /// answered now or when the call that the message asks for is done.
    pub(crate) fn receive(&self, id: ReceivedId, server: &str, message: &str) {
        let known = self.open().find(server);
        match known {
            Some(server) => server.receive(id, message),
            None => {
                self.channel.refuse(&id, &format!("SDK MCP server not found: {server}"), None);
            }
        }
    }

    /// The run has ended: all calls stop. Tools often hold a handle of their own run, so they are
    /// dropped now.
    pub(crate) fn close(&self) {
        let (servers, running) = {
            let mut open = self.open();
            let servers: Vec<_> = open.begun.iter().chain(&open.added).cloned().collect();
            (servers, open.running.take())
        };
        servers.iter().for_each(|server| server.close());
        drop(running);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn find(&self, name: &str) -> Option<Arc<Server>> {
        self.begun.iter().chain(&self.added).find(|server| server.name() == name).cloned()
    }
}

#[cfg(test)]
mod tests;
