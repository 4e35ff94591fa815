//! One tool, for a registry.

use super::Tool;

/// One tool: what `add::tool()` gives for a function `add` under `#[tool]`, or [`Tool::new`].
///
/// The trait is sealed. It is there for the compiler's message where a function is given instead of
/// its tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool",
    label = "not a tool",
    note = "the tool of a function `add` under `#[tool]` is `add::tool()`; `.tools(tools![add])` \
            adds several"
)]
pub trait IntoTool: sealed::Sealed {
    /// The tool.
    fn into_tool(self) -> Tool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Tool {}
}

impl IntoTool for Tool {
    fn into_tool(self) -> Tool {
        self
    }
}
