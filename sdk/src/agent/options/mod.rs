//! What a run is started with: [`AgentOptions`] and its builder.
//!
//! [`AgentOptionsBuilder::build`] checks the options as a whole; the client then asks for the
//! program's arguments and environment and for the `initialize` request. All of this is pure but
//! for the files with values that are too long, or too private, for an argument: the client has
//! them written when it connects.

mod agent;
mod arg;
mod args;
mod builder;
mod check;
mod env;
mod error;
mod files;
mod initialize;
mod launch;
mod limits;
mod model;
mod parts;
mod process;
mod prompt;
mod server;
mod session;
mod settings;
mod thinking;
mod tools;
mod warn;

pub use agent::{AgentDefinition, Memory};
pub use builder::AgentOptionsBuilder;
pub use error::OptionsError;
pub use prompt::SystemPrompt;
pub use server::McpServer;
pub use settings::{Plugin, SettingSource, Settings};
pub use thinking::{Effort, Thinking, ThinkingDisplay};

pub(crate) use files::Files;

/// What a run is started with: the model, its tools and servers, callbacks, the session, the
/// process and its bounds.
///
/// [`AgentOptions::builder`] makes them and `default` is what a builder gives that nothing was said
/// to. A clone is cheap enough to start many runs with; the clones share their registries and
/// callbacks.
///
/// ```
/// # use toolwright::ToolRegistry;
/// # use toolwright::agent::options::AgentOptions;
/// # let registry = ToolRegistry::builder("calc").build()?;
/// let options = AgentOptions::builder()
///     .mcp_server(registry)
///     .allowed_tools(["mcp__calc__*"])
///     .model("sonnet")
///     .build()?;
/// assert!(options.warnings().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "options do nothing until a run is started with them"]
pub struct AgentOptions {
    pub(crate) prompt: prompt::PromptOptions,
    pub(crate) model: model::ModelOptions,
    pub(crate) tools: tools::ToolOptions,
    pub(crate) session: session::SessionOptions,
    pub(crate) settings: settings::SettingsOptions,
    pub(crate) process: process::ProcessOptions,
    pub(crate) limits: limits::Limits,
}

#[cfg(test)]
mod tests;
