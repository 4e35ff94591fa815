//! The tasks extension (SEP-2663): calls whose results clients ask for later.

use std::sync::Arc;

/// The extension's name in capabilities.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// What clients may know of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskState {
    pub(crate) id: Box<str>,
    /// To other clients the task is unknown. `None` where clients are not told apart.
    pub(crate) owner: Option<Arc<str>>,
    /// The members of a result, as JSON text.
    pub(crate) members: String,
}

/// Whether the calls of a tool may become tasks: see [`Tool::with_task`](crate::Tool::with_task).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaskSupport {
    /// A client without the extension waits for the result.
    Optional,
    /// A client without the extension cannot call the tool.
    Required,
}
