//! Tools, prompts and resources that are methods of one value.

use std::sync::Arc;

use super::prompt::Prompt;
use super::resource::Resource;
use super::tool::Tool;

/// What the methods of a value are for a registry.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Members {
    pub(crate) tools: Vec<Tool>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) resources: Vec<Resource>,
    /// The groups that were begun.
    groups: Vec<&'static str>,
}

/// A kind of them.
#[doc(hidden)]
pub trait Member {
    /// Adds it to the others.
    fn join(self, members: &mut Members);
}

macro_rules! member {
    ($($ty:ident $list:ident),*) => {$(
        impl Member for $ty {
            fn join(self, members: &mut Members) {
                members.$list.push(self);
            }
        }
    )*};
}

member!(Tool tools, Prompt prompts, Resource resources);

impl Members {
    /// Those of a value.
    pub(crate) fn of(set: impl Toolset) -> Self {
        let mut members = Self::default();
        Toolset::tools(&Arc::new(set), &mut members);
        members
    }

    /// Adds one.
    pub fn add(&mut self, member: impl Member) {
        member.join(self);
    }

    /// True the first time that a group of this name begins.
    pub fn begins(&mut self, group: &'static str) -> bool {
        let is_new = !self.groups.contains(&group);
        self.groups.push(group);
        is_new
    }
}

/// A value with tools, prompts and resources: [`#[toolset]`](macro@crate::toolset) on an `impl`
/// block implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    label = "not a toolset",
    note = "put `#[toolset]` on its block `impl … {{ … }}`, and `#[tool]` on methods there"
)]
pub trait Toolset: Send + Sync + 'static {
    /// Adds them to others.
    #[doc(hidden)]
    fn tools(this: &Arc<Self>, members: &mut Members);
}

/// What a block without the key `group` implements. Of two such blocks the compiler says that their
/// implementations conflict; the name of this trait says what to write.
#[doc(hidden)]
pub trait OneBlockWithoutGroup: Send + Sync + 'static {
    /// Adds them to others.
    fn tools(this: &Arc<Self>, members: &mut Members);
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
        Members::of(set).tools
    }
}

#[doc(hidden)]
impl<T: OneBlockWithoutGroup> Toolset for T {
    fn tools(this: &Arc<Self>, members: &mut Members) {
        OneBlockWithoutGroup::tools(this, members);
    }
}

/// An `Arc` of a value has the tools of the value.
impl<T: Toolset> Toolset for Arc<T> {
    fn tools(this: &Arc<Self>, members: &mut Members) {
        T::tools(this, members);
    }
}
