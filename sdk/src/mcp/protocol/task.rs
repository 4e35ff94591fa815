//! The tasks extension (SEP-2663): calls whose results clients ask for later.

/// The extension's name in capabilities.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Whether the calls of a tool may become tasks: see [`Tool::with_task`](crate::Tool::with_task).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaskSupport {
    /// A client without the extension waits for the result.
    Optional,
    /// A client without the extension cannot call the tool.
    Required,
}
