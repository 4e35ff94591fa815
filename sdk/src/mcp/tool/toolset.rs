//! Tools that are methods of one value.

use std::sync::Arc;

use super::Tool;

/// A value with tools: [`#[toolset]`](macro@crate::toolset) on an `impl` block implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    label = "not a toolset",
    note = "put `#[toolset]` on its block `impl … {{ … }}`, and `#[tool]` on methods there"
)]
pub trait Toolset: Send + Sync + 'static {
    /// Adds the tools to a list.
    #[doc(hidden)]
    fn tools(this: &Arc<Self>, tools: &mut Vec<Tool>);
}

impl Tool {
    /// The tools of a value's methods, in their order. `ToolRegistryBuilder::toolset` adds them to
    /// a registry; as a list they can be added while sessions run, or get other names.
    ///
    /// ```
    /// use toolwright::{Tool, toolset};
    ///
    /// struct Dice {
    ///     sides: u8,
    /// }
    ///
    /// #[toolset]
    /// impl Dice {
    ///     /// Say how many sides a die has.
    ///     #[tool(inline)]
    ///     fn sides(&self) -> u8 {
    ///         self.sides
    ///     }
    /// }
    ///
    /// let tools = Tool::of_toolset(Dice { sides: 6 });
    /// assert_eq!(tools[0].name(), "sides");
    /// ```
    pub fn of_toolset(set: impl Toolset) -> Vec<Self> {
        let mut tools = Vec::new();
        Toolset::tools(&Arc::new(set), &mut tools);
        tools
    }
}

/// An `Arc` of a value has the tools of the value.
impl<T: Toolset> Toolset for Arc<T> {
    fn tools(this: &Arc<Self>, tools: &mut Vec<Tool>) {
        T::tools(this, tools);
    }
}
