//! `mcp_message` ⇄ [`mcp::Session`](crate::mcp::Session): the one folder that knows both protocols.

mod calls;
mod link;

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::ToolRegistry;
use crate::mcp::{Done, Host, Session, Step};

pub(super) use crate::mcp::{CallId, Link};
pub(super) use link::links;

/// The in-process servers of a run. The same registry may serve many runs; each has sessions of its
/// own.
#[derive(Default)]
pub(crate) struct Bridge {
    servers: Vec<Server>,
}

struct Server {
    name: String,
    session: Session,
}

/// What a session said, in order.
#[derive(Default)]
pub(crate) struct Said {
    lines: Vec<u8>,
}

/// One message that a session said, as JSON text.
pub(crate) enum Message<'a> {
    /// The answer to the message at hand.
    Answer(&'a str),
    Notification(&'a str),
}

/// The body of a control request that carries a message to the CLI.
#[derive(Serialize)]
pub(crate) struct McpMessage<'a> {
    server_name: &'a str,
    message: &'a RawValue,
}

impl Bridge {
    /// Each registry with the way back to its server.
    pub(crate) fn new<'a>(
        registries: impl IntoIterator<Item = (&'a ToolRegistry, &'a Arc<dyn Link>)>,
    ) -> Self {
        let server = |(registry, link): (&ToolRegistry, &Arc<dyn Link>)| Server {
            name: registry.name().to_owned(),
            session: Session::new(registry, Host::InProcess, Arc::downgrade(link)),
        };
        Self { servers: registries.into_iter().map(server).collect() }
    }

    /// The number of the server of that name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.servers.iter().position(|server| server.name == name)
    }

    /// Gives a message to a server's session.
    pub(crate) fn receive<'a>(
        &mut self,
        server: usize,
        message: &'a str,
        said: &mut Said,
    ) -> Step<'a> {
        match self.servers.get_mut(server) {
            Some(server) => server.session.receive(message.as_bytes(), &mut said.lines),
            None => Step::Idle,
        }
    }

    pub(crate) fn finish(&mut self, server: usize, done: Done, said: &mut Said) {
        self.with(server, |session| session.finish(done, &mut said.lines));
    }

    pub(crate) fn time_out(&mut self, server: usize, call: &CallId, said: &mut Said) {
        self.with(server, |session| session.time_out(call, &mut said.lines));
    }

    /// The CLI no longer waits for the call.
    pub(crate) fn cancel(&mut self, server: usize, call: &CallId) {
        self.with(server, |session| {
            session.cancel(call);
        });
    }

    pub(crate) fn notify(
        &mut self,
        server: usize,
        call: &CallId,
        write: &mut dyn FnMut(&mut Vec<u8>),
        said: &mut Said,
    ) {
        self.with(server, |session| session.notify(call, write, &mut said.lines));
    }

    pub(crate) fn tools_changed(&mut self, server: usize, said: &mut Said) {
        self.with(server, |session| session.tools_changed(&mut said.lines));
    }

    /// The control request that takes a notification to the CLI.
    pub(crate) fn envelope<'a>(
        &'a self,
        server: usize,
        message: &'a str,
    ) -> Option<McpMessage<'a>> {
        let server_name = &self.servers.get(server)?.name;
        Some(McpMessage { server_name, message: serde_json::from_str(message).ok()? })
    }

    fn with(&mut self, server: usize, f: impl FnOnce(&mut Session)) {
        if let Some(server) = self.servers.get_mut(server) {
            f(&mut server.session);
        }
    }
}

impl Said {
    /// The messages, in order. A session writes one a line and answers begin with their id.
    pub(crate) fn messages(&self) -> impl Iterator<Item = Message<'_>> {
        let lines = self
            .lines
            .split(|byte| *byte == b'\n')
            .filter_map(|line| std::str::from_utf8(line).ok());
        lines.filter(|line| !line.is_empty()).map(|line| {
            match line.starts_with("{\"jsonrpc\":\"2.0\",\"id\":") {
                true => Message::Answer(line),
                false => Message::Notification(line),
            }
        })
    }

    pub(crate) fn clear(&mut self) {
        const KEEP: usize = 1024 * 1024;
        self.lines.clear();
        self.lines.shrink_to(KEEP);
    }
}
