//! What a server has: tools and prompts by name, resources by URI.

mod pages;
mod tool_filter;
mod list;
mod live;
mod listeners;
mod session_states;
mod server;
mod check;
mod tool_registry;
mod prompts;
mod resources;
mod builder;
mod layers;
mod weak;

pub use builder::ToolRegistryBuilder;
pub use check::BuildError;
pub(crate) use list::{Called, Entry, List};
pub(crate) use live::View;
pub(crate) use tool_filter::ToolFilter;
pub use tool_registry::{CallError, ToolRegistry};
pub use weak::WeakToolRegistry;

#[cfg(test)]
mod tests;
