//! The MCP servers of a session, as the CLI knows them.

use serde_json::Value;

/// An MCP server of the session.
#[derive(Default)]
pub(super) struct Server {
    pub(super) name: String,
    /// It belongs to the SDK; servers of other kinds are not played.
    pub(super) is_ours: bool,
    pub(super) status: &'static str,
    pub(super) info: Value,
    pub(super) tools: Vec<Tool>,
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
    pub(super) is_read_only: bool,
}

impl Server {
    pub(super) fn new(name: &str, is_ours: bool) -> Self {
        let status = if is_ours { "pending" } else { "failed" };
        Self { name: name.to_owned(), is_ours, status, ..Self::default() }
    }
}
