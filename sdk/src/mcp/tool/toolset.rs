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

/// What a block without the key `group` implements. Of two such blocks the compiler says that their
/// implementations conflict; the name of this trait says what to write.
#[doc(hidden)]
pub trait OneBlockWithoutGroup: Send + Sync + 'static {
    /// Adds the tools to a list.
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

#[doc(hidden)]
impl<T: OneBlockWithoutGroup> Toolset for T {
    fn tools(this: &Arc<Self>, tools: &mut Vec<Tool>) {
        OneBlockWithoutGroup::tools(this, tools);
    }
}

/// An `Arc` of a value has the tools of the value.
impl<T: Toolset> Toolset for Arc<T> {
    fn tools(this: &Arc<Self>, tools: &mut Vec<Tool>) {
        T::tools(this, tools);
    }
}
