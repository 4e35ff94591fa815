//! The options of tools, permissions, hooks, servers and subagents.

use std::fmt;
use std::path::PathBuf;

use super::agent::AgentDefinition;
use super::server::McpServer;
use crate::ToolRegistry;
use crate::agent::dialog::DialogCallback;
use crate::agent::elicitation::ElicitationCallback;
use crate::agent::hook::Hooks;
use crate::agent::permission::{PermissionCallback, PermissionMode};
use crate::agent::progress::ProgressListener;

/// Which tools exist, and which of them may be used.
#[derive(Clone, Default)]
pub(crate) struct ToolOptions {
    /// The built-in tools; `None` leaves the choice to the CLI.
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) allowed: Vec<String>,
    /// Those of them that allow a registry.
    pub(crate) allowed_registries: Vec<String>,
    pub(crate) disallowed: Vec<String>,
    pub(crate) permission_mode: Option<PermissionMode>,
    pub(crate) allow_skipping_permissions: bool,
    pub(crate) permission_prompt_tool: Option<String>,
    pub(crate) can_use_tool: Option<PermissionCallback>,
    pub(crate) on_elicitation: Option<ElicitationCallback>,
    /// The kinds of dialogs, and who shows them.
    pub(crate) dialogs: Option<(Vec<String>, DialogCallback)>,
    pub(crate) on_progress: Option<ProgressListener>,
    pub(crate) permission_prompts: Option<PermissionPrompts>,
    pub(crate) question_preview: Option<QuestionPreview>,
    /// Names that the model uses, and the tools that they mean.
    pub(crate) aliases: Vec<(String, String)>,
    pub(crate) hooks: Hooks,
    pub(crate) servers: Vec<McpServer>,
    pub(crate) mcp_configs: Vec<PathBuf>,
    pub(crate) strict_mcp_config: bool,
    pub(crate) agents: Vec<(String, AgentDefinition)>,
    pub(crate) file_checkpointing: bool,
}

/// Who is asked for permission when neither a rule nor the mode decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PermissionPrompts {
    /// This program, by [`can_use_tool`](super::AgentOptionsBuilder::can_use_tool) or a
    /// [tool](super::AgentOptionsBuilder::permission_prompt_tool).
    Host,
    /// Nobody: the call is denied, and the model is told that nobody can permit it.
    None,
}

/// The form of the previews that the model adds to the options of its questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuestionPreview {
    /// Markdown.
    Markdown,
    /// HTML.
    Html,
}

impl ToolOptions {
    /// The registries among the servers, with the names that these have.
    pub(crate) fn registries(&self) -> impl Iterator<Item = (&str, &ToolRegistry)> {
        self.servers.iter().filter_map(McpServer::registry)
    }

    /// Whether the CLI may send requests to this program during a run. Its input must then stay
    /// open until the end.
    pub(crate) fn needs_answers(&self) -> bool {
        self.can_use_tool.is_some()
            || self.on_elicitation.is_some()
            || self.dialogs.is_some()
            || !self.hooks.0.is_empty()
            || self.registries().next().is_some()
    }
}

impl PermissionPrompts {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::None => "none",
        }
    }
}

impl QuestionPreview {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }
}

impl fmt::Debug for ToolOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolOptions")
            .field("tools", &self.tools)
            .field("allowed", &self.allowed)
            .field("disallowed", &self.disallowed)
            .field("permission_mode", &self.permission_mode)
            .field("allow_skipping_permissions", &self.allow_skipping_permissions)
            .field("permission_prompt_tool", &self.permission_prompt_tool)
            .field("can_use_tool", &self.can_use_tool.is_some())
            .field("on_elicitation", &self.on_elicitation.is_some())
            .field("dialogs", &self.dialogs.as_ref().map(|(kinds, _)| kinds))
            .field("on_progress", &self.on_progress.is_some())
            .field("permission_prompts", &self.permission_prompts)
            .field("question_preview", &self.question_preview)
            .field("aliases", &self.aliases)
            .field("hooks", &self.hooks.0.len())
            .field("servers", &self.servers)
            .field("mcp_configs", &self.mcp_configs)
            .field("strict_mcp_config", &self.strict_mcp_config)
            .field("agents", &self.agents.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("file_checkpointing", &self.file_checkpointing)
            .finish()
    }
}
