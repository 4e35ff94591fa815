//! Control requests by topic: what the methods of [`Handle`](super::Handle) take and give.
//!
//! ```no_run
//! # async fn example() -> Result<(), toolwright::agent::Error> {
//! use toolwright::agent::requests::{McpCall, ReadFile};
//! use toolwright::agent::{AgentClient, AgentOptions};
//! use toolwright::json;
//!
//! let client = AgentClient::connect(AgentOptions::default()).await?;
//! for model in client.list_models().await? {
//!     println!("{}: {}", model.value, model.description);
//! }
//! let picture = client.read_file(ReadFile::new("logo.png").base64()).await?;
//! let sum = client.mcp_call(McpCall::new("mcp__calc__add", json!({"a": 2, "b": 40}))).await?;
//! println!("{} bytes, {}", picture.bytes()?.len(), sum.text());
//! # Ok(())
//! # }
//! ```
//!
//! | about | methods |
//! |---|---|
//! | turns | [`interrupt`](super::Handle::interrupt), [`interrupt_all`](super::Handle::interrupt_all), [`cancel_async_message`](super::Handle::cancel_async_message), [`ask_side_question`](super::Handle::ask_side_question) |
//! | the model | [`set_model`](super::Handle::set_model), [`list_models`](super::Handle::list_models), [`set_max_thinking_tokens`](super::Handle::set_max_thinking_tokens) |
//! | permissions | [`set_permission_mode`](super::Handle::set_permission_mode), [`list_permission_rules`](super::Handle::list_permission_rules), [`set_mcp_permission_mode_override`](super::Handle::set_mcp_permission_mode_override) |
//! | MCP servers | [`mcp_status`](super::Handle::mcp_status), [`set_mcp_servers`](super::Handle::set_mcp_servers), [`reconnect_mcp_server`](super::Handle::reconnect_mcp_server), [`toggle_mcp_server`](super::Handle::toggle_mcp_server), [`mcp_call`](super::Handle::mcp_call), [`mcp_read_resource`](super::Handle::mcp_read_resource) |
//! | tasks | [`stop_task`](super::Handle::stop_task), [`background_tasks`](super::Handle::background_tasks), [`get_task_output`](super::Handle::get_task_output) |
//! | files | [`read_file`](super::Handle::read_file), [`rewind_files`](super::Handle::rewind_files), [`seed_read_state`](super::Handle::seed_read_state), [`file_suggestions`](super::Handle::file_suggestions) |
//! | settings | [`get_settings`](super::Handle::get_settings), [`apply_flag_settings`](super::Handle::apply_flag_settings), [`update_settings`](super::Handle::update_settings), [`get_hooks_listing`](super::Handle::get_hooks_listing) |
//! | plugins and skills | [`reload_plugins`](super::Handle::reload_plugins), [`reload_skills`](super::Handle::reload_skills), [`reload_output_styles`](super::Handle::reload_output_styles), [`register_repo_root`](super::Handle::register_repo_root) |
//! | usage | [`get_usage`](super::Handle::get_usage), [`get_session_cost`](super::Handle::get_session_cost), [`get_context_usage`](super::Handle::get_context_usage), [`estimate_context_usage`](super::Handle::estimate_context_usage) |
//! | the session | [`rename_session`](super::Handle::rename_session), [`generate_session_title`](super::Handle::generate_session_title), [`export_conversation`](super::Handle::export_conversation), [`get_plan`](super::Handle::get_plan), [`get_status`](super::Handle::get_status), [`get_binary_version`](super::Handle::get_binary_version), [`set_cwd`](super::Handle::set_cwd) |
//! | anything else | [`request`](super::Handle::request) |
//!
//! A member that the CLI leaves out reads as nothing, and `member` gives one that has no field
//! here.

mod files;
mod mcp;
mod permissions;
mod plugins;
mod session;
mod settings;
mod tasks;
mod turns;
mod usage;

pub use super::message::system::SlashCommand;
pub use super::message::{AccountInfo, AgentInfo, ModelInfo};
pub use files::{FileContents, ReadFile, SuggestedFiles};
pub use mcp::{McpCall, McpCallResult, McpResourceContents, McpServersSet};
pub use permissions::{PermissionRuleEntry, PermissionRules, WorkspaceDirectory};
pub use plugins::{CacheImpact, PluginInfo, ReloadPlugins, ReloadedPlugins};
pub use session::{
    BinaryVersion, ExportedConversation, Plan, SessionStatus, StatusRow, StatusSection,
};
pub use settings::{
    AppliedSettings, HooksListing, ListedHook, SettingsError, SettingsOfSource, SettingsReport,
    SettingsTarget,
};
pub use tasks::TaskOutput;
pub use turns::SideAnswer;
pub use usage::{RateWindow, RateWindows, SessionReport};

#[cfg(test)]
mod tests;
