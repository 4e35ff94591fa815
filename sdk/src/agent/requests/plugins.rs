//! Plugins, skills and output styles, read again while a session runs.

use std::path::Path;

use serde_json::{Value, json};

use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::message::system::SlashCommand;
use crate::agent::message::{AgentInfo, McpServerStatus};
use crate::agent::options::Plugin;
use crate::agent::setters::setters;
use crate::agent::wire::{Object, kept, record};

/// How [`Handle::reload_plugins`] reloads. The default reloads at once and adds nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReloadPlugins {
    hold_on_cache_impact: bool,
    refuse_if_busy: bool,
    add: Vec<Plugin>,
}

setters! {
    impl ReloadPlugins, reload = self;

    /// Reloads nothing if that changed the tools that the conversation's prompt cache depends on:
    /// then [`held`](ReloadedPlugins::held) is true.
    hold_on_cache_impact() { reload.hold_on_cache_impact = true }
    /// Fails while a turn runs or waits, with the code `reload_plugins_busy`.
    refuse_if_busy() { reload.refuse_if_busy = true }
    /// Also loads these plugins.
    add_plugins(plugins: impl IntoIterator<Item: Into<Plugin>>) {
        reload.add.extend(plugins.into_iter().map(Into::into))
    }
}

kept! {
    /// What there is after a reload.
    pub struct ReloadedPlugins {
        /** The commands. */ pub commands: Vec<SlashCommand>,
        /** The agents. */ pub agents: Vec<AgentInfo>,
        /** The plugins. */ pub plugins: Vec<PluginInfo>,
        /** The MCP servers. */ pub mcp_servers: Vec<McpServerStatus> = "mcpServers",
        /** How many plugins, or parts of them, could not be loaded. */ pub error_count: u64,
        /** Whether nothing was reloaded; only if that was asked for. */ pub held: Option<bool>,
        /** What the reload would have changed. */ pub cache_impact: Option<CacheImpact>,
    }
}

record! {
    /// A plugin of the session.
    pub struct PluginInfo {
        /** Its name. */ pub name: String,
        /** Its folder. */ pub path: String,
        /** Where it is from. */ pub source: Option<String>,
        /** Its version, as it says. */ pub version: Option<String>,
    }

    /// What a reload would change about the tools.
    pub struct CacheImpact {
        /** Servers that would come. */ pub mcp_servers_added: Vec<String>,
        /** Servers that would go. */ pub mcp_servers_removed: Vec<String>,
        /** What happens to the `LSP` tool: `adds`, `may-add`, `removes`, `may-remove`. */
        pub lsp_tool_change: Option<String>,
    }
}

/// Plugins, skills and output styles, read again.
impl Handle {
    /// Reads the plugins again, as `/reload-plugins` does.
    ///
    /// # Errors
    ///
    /// The session is busy, if that matters, and as for all requests: see [`Handle`].
    pub async fn reload_plugins(
        &self,
        reload: ReloadPlugins,
    ) -> Result<ReloadedPlugins, ControlError> {
        let plugins: Vec<_> = reload.add.iter().map(Plugin::config).collect();
        let body = Object::default()
            .flag("hold_on_cache_impact", reload.hold_on_cache_impact)
            .flag("refuse_if_busy", reload.refuse_if_busy)
            .optional("add_plugins", (!plugins.is_empty()).then_some(Value::Array(plugins)))
            .finish();
        self.typed("reload_plugins", &body).await
    }

    /// Reads the skills again and gives them.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn reload_skills(&self) -> Result<Vec<SlashCommand>, ControlError> {
        self.member("reload_skills", &json!({}), "skills").await
    }

    /// Reads the output styles again and gives their names.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn reload_output_styles(&self) -> Result<Vec<String>, ControlError> {
        self.member("reload_output_styles", &json!({}), "available_output_styles").await
    }

    /// Adds a folder within the working folder, such as a repository that was just cloned, and
    /// reads its `CLAUDE.md`, plugins and skills.
    ///
    /// # Errors
    ///
    /// The folder is elsewhere or was added before, and as for all requests: see [`Handle`].
    pub async fn register_repo_root(&self, folder: impl AsRef<Path>) -> Result<(), ControlError> {
        let body = json!({
            "directory": folder.as_ref().to_string_lossy(),
            "reload_claude_md": true,
            "reload_plugins": true,
            "reload_skills": true,
        });
        self.request("register_repo_root", body).await.map(drop)
    }
}
