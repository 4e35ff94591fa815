//! The MCP servers of a session, as the CLI knows them.

use serde_json::Value;

/// One MCP server of the session.
pub(super) struct Server {
    pub(super) name: String,
    /// It is one of the SDK's; no other kind is played.
    pub(super) is_ours: bool,
    pub(super) status: &'static str,
    pub(super) info: Value,
    pub(super) tools: Vec<Tool>,
    /// It says that its tools have changed.
    pub(super) is_stale: bool,
    /// They are being listed for that.
    pub(super) is_listing: bool,
    pub(super) next_id: u64,
}

/// One tool of a server, as the CLI knows it.
#[derive(Clone)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) is_read_only: bool,
}

impl Server {
    pub(super) fn new(name: &str, is_ours: bool) -> Self {
        let status = if is_ours { "pending" } else { "failed" };
        Self {
            name: name.to_owned(),
            is_ours,
            status,
            info: Value::Null,
            tools: Vec::new(),
            is_stale: false,
            is_listing: false,
            next_id: 0,
        }
    }
}
