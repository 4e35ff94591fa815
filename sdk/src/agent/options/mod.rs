//! The options of a run: [`AgentOptions`] and its builder.
//!
//! ```
//! use toolwright::agent::AgentOptions;
//! use toolwright::agent::options::{Effort, SystemPrompt};
//!
//! let options = AgentOptions::builder()
//!     .system_prompt(SystemPrompt::claude_code().append("Answer in French."))
//!     .tools(["Read", "Grep"])
//!     .effort(Effort::High)
//!     .build()?;
//!
//! let other = options.to_builder().effort(Effort::Low).build()?;
//! # Ok::<(), toolwright::agent::options::OptionsError>(())
//! ```
//!
//! [`build`](AgentOptionsBuilder::build) checks the options as a whole. No file is written and no
//! program is started before a run begins.

// Values, from which the options of each topic are made.
mod member;
mod redacted;

mod env;
mod prompt;
mod sandbox;
#[cfg(feature = "sessions")]
mod store;
mod session;
mod settings;
mod thinking;

mod inline_settings;

mod agent;
mod limits;
mod model;
mod process;
mod server;
mod tools;

// What the client makes of the options.
mod arg;
mod args;
mod files;
mod initialize;
mod launch;
mod roots;
mod warnings;

// How the options come about.
mod error;

mod check;

mod builder;

pub use agent::{AgentDefinition, Memory};
pub use builder::AgentOptionsBuilder;
pub use error::OptionsError;
pub use inline_settings::InlineSettings;
pub use prompt::SystemPrompt;
pub use sandbox::Sandbox;
pub use server::McpServer;
pub use settings::{Plugin, SettingSource, Settings};
#[cfg(feature = "sessions")]
pub use store::StoreFlush;
pub use thinking::{Effort, Thinking, ThinkingDisplay};
pub use tools::{PermissionPrompts, QuestionPreview};

pub(crate) use check::server_complaints;
#[cfg(feature = "testing")]
pub(crate) use check::split_rules;
pub(crate) use files::Files;
pub(crate) use roots::Roots;
#[cfg(feature = "sessions")]
pub(crate) use {
    env::Env,
    files::Folder,
    store::{SharedStore, StoreOptions},
};

/// The options of a run: model, tools, MCP servers, callbacks, session, process and limits.
///
/// ```
/// use toolwright::ToolRegistry;
/// use toolwright::agent::AgentOptions;
///
/// let registry = ToolRegistry::builder("calc").build()?;
/// let options = AgentOptions::builder()
///     .mcp_server(registry)
///     .allowed_tools(["mcp__calc__*"])
///     .model("sonnet")
///     .build()?;
/// assert!(options.warnings().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `AgentOptions::default()` is what a builder returns on which nothing was set. Cloning is cheap
/// enough for one clone a run; clones share their registries and callbacks.
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
