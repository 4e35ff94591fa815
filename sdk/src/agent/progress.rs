//! The progress that tools of this program report: [`ToolProgress`].

use std::sync::Arc;

use serde::Deserialize;

use crate::scan;

/// What a tool of an in-process server has reported with
/// [`Context::progress`](crate::Context::progress);
/// [`AgentOptionsBuilder::on_tool_progress`](super::AgentOptionsBuilder::on_tool_progress) gets it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolProgress {
    /// The id of the call, as in the message of the model that makes it.
    pub tool_use_id: String,
    /// How much is done, in the unit of `total`.
    pub done: f64,
    /// How much there is to do; 1 if `done` is a fraction, and 0 if the tool does not know.
    pub total: f64,
    /// What the tool says about it; empty if it says nothing.
    pub message: String,
}

/// Who listens, without its type.
pub(crate) type ProgressListener = Arc<dyn Fn(ToolProgress) + Send + Sync>;

/// The id that the CLI gives a call in the message that makes it.
pub(crate) fn tool_use_id(request: &str) -> Option<String> {
    let params = scan::member(request, "params")?;
    let id = scan::member(scan::member(params, "_meta")?, "claudecode/toolUseId")?;
    scan::string(id).map(|id| id.into_owned())
}

impl ToolProgress {
    /// Reads a notification of an MCP session about the call; `None` if it is another one.
    pub(crate) fn read(notification: &str, tool_use_id: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Params {
            progress: f64,
            #[serde(default)]
            total: f64,
            #[serde(default)]
            message: String,
        }

        let method = scan::string(scan::member(notification, "method")?)?;
        let params = scan::member(notification, "params")?;
        let Params { progress, total, message } =
            (method == "notifications/progress").then(|| serde_json::from_str(params).ok())??;
        Some(Self { tool_use_id: tool_use_id.to_owned(), done: progress, total, message })
    }
}
