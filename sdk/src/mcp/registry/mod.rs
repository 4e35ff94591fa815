//! The tools of a server, by name.

mod list;
mod live;
mod server;
mod check;
mod tool_registry;
mod builder;
mod layers;

pub use builder::ToolRegistryBuilder;
pub use check::BuildError;
pub(crate) use live::View;
pub use tool_registry::{CallError, ToolRegistry};

#[cfg(test)]
mod tests;
