//! The MCP servers of a session, as the CLI knows them.

use std::time::Duration;

use serde_json::{Value, json};

/// Why servers of other kinds than the SDK's are not connected.
pub(super) const UNREACHABLE: &str = "The scripted CLI has no connection to it";

/// The shortest timeout that a configuration can set, in milliseconds.
pub(super) const SHORTEST: u64 = 1_000;

/// An MCP server of the session.
#[derive(Default)]
pub(super) struct Server {
    pub(super) name: String,
    /// It belongs to the SDK; servers of other kinds are not played.
    pub(super) is_ours: bool,
    /// A request that sets the servers takes it away, unless it names it.
    pub(super) is_dynamic: bool,
    /// How long a call may take, if its configuration says it.
    pub(super) timeout: Option<Duration>,
    pub(super) status: &'static str,
    pub(super) info: Value,
    pub(super) tools: Vec<Tool>,
    /// It has come while the session ran, and is not connected yet.
    pub(super) is_new: bool,
    /// MCP's handshake is over, and its tools are known.
    pub(super) is_ready: bool,
    /// It has reported a change of its tools.
    pub(super) is_stale: bool,
    /// Its tools are being listed again.
    pub(super) is_listing: bool,
    pub(super) next_id: u64,
}

/// A tool of a server, as the CLI knows it.
#[derive(Clone)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) schema: Value,
    pub(super) is_read_only: bool,
    pub(super) is_destructive: bool,
}

impl Server {
    pub(super) fn new(name: &str, config: &Value) -> Self {
        let is_ours = config["type"] == "sdk";
        let timeout = config["timeout"].as_u64().filter(|timeout| *timeout >= SHORTEST);
        Self {
            name: name.to_owned(),
            is_ours,
            is_dynamic: is_ours,
            timeout: timeout.map(Duration::from_millis),
            status: if is_ours { "pending" } else { "failed" },
            ..Self::default()
        }
    }

    /// A server that comes while the session runs.
    pub(super) fn added(name: &str, config: &Value) -> Self {
        let server = Self::new(name, config);
        Self { is_dynamic: true, is_new: server.is_ours, ..server }
    }

    /// It has answered `initialize`, and its tools are not known yet.
    pub(super) fn is_half_connected(&self) -> bool {
        self.status == "connected" && !self.is_ready
    }

    pub(super) fn is_off(&self) -> bool {
        self.status == "disabled"
    }

    pub(super) fn switch_off(&mut self) {
        let Self { name, is_ours, is_dynamic, timeout, .. } = std::mem::take(self);
        let status = "disabled";
        *self = Self { name, is_ours, is_dynamic, timeout, status, ..Self::default() };
    }

    pub(super) fn switch_on(&mut self) {
        self.switch_off();
        self.status = if self.is_ours { "pending" } else { "failed" };
        self.is_new = self.is_ours;
    }

    /// What `mcp_status` says of it.
    pub(super) fn report(&self) -> Value {
        let tools = self.tools.iter().map(|tool| {
            let mut annotations = json!({});
            if tool.is_read_only {
                annotations["readOnly"] = true.into();
            }
            if tool.is_destructive {
                annotations["destructive"] = true.into();
            }
            json!({"name": tool.name, "annotations": annotations})
        });
        let mut status = json!({"name": self.name, "status": self.status});
        match self.status {
            "connected" => {
                status["serverInfo"] = self.info.clone();
                status["tools"] = tools.collect();
            }
            "failed" => status["error"] = UNREACHABLE.into(),
            _ => {}
        }
        status["scope"] = "dynamic".into();
        if self.is_ours {
            status["transport"] = "sdk".into();
            status["source"] = "sdk".into();
        }
        status
    }
}
