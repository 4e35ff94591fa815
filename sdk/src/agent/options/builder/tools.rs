//! Setters for tools and permissions.

use std::path::PathBuf;

use super::AgentOptionsBuilder;
use crate::ToolRegistry;
use crate::agent::hook::{Hook, HookContext, HookEvent, HookMatcher, HookOutput};
use crate::agent::options::agent::AgentDefinition;
use crate::agent::options::server::McpServer;
use crate::agent::permission::{CanUseTool, PermissionMode};

/// Tools, permissions, hooks, MCP servers and subagents.
impl AgentOptionsBuilder {
    /// The built-in tools, such as `["Read", "Grep"]`. Default: `["default"]`, the usual set. Tools
    /// of MCP servers are not affected.
    pub fn tools(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.tools.tools.get_or_insert_default().extend(names.into_iter().map(Into::into));
        self
    }

    /// Removes all built-in tools: the model only has the tools of the MCP servers.
    pub fn no_tools(mut self) -> Self {
        self.options.tools.tools = Some(Vec::new());
        self
    }

    /// Adds rules for tools that may be used without asking: `Read`, `Bash(git log *)`,
    /// `mcp__calc__add`, `mcp__calc__*`. A rule does not add a tool; [`tools`](Self::tools) does.
    pub fn allowed_tools(mut self, rules: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.tools.allowed.extend(rules.into_iter().map(Into::into));
        self
    }

    /// Allows all tools of a registry, including tools that are added during the run:
    /// `mcp__<name>__*`. To allow only its present tools, pass [`ToolRegistry::allowed_tools`] to
    /// [`allowed_tools`](Self::allowed_tools).
    pub fn allow_registry(self, registry: &ToolRegistry) -> Self {
        self.allowed_tools([format!("mcp__{}__*", registry.name())])
    }

    /// Adds rules for tools that may not be used. They override all other rules. A rule that is
    /// only a name hides the tool from the model.
    pub fn disallowed_tools(mut self, rules: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.tools.disallowed.extend(rules.into_iter().map(Into::into));
        self
    }

    /// The permission mode. [`PermissionMode::BypassPermissions`] needs
    /// [`allow_dangerously_skip_permissions`](Self::allow_dangerously_skip_permissions).
    pub fn permission_mode(mut self, mode: impl Into<PermissionMode>) -> Self {
        self.options.tools.permission_mode = Some(mode.into());
        self
    }

    /// Permits the mode that asks for nothing, at the start or later. The CLI refuses it to root.
    pub fn allow_dangerously_skip_permissions(mut self, allow: bool) -> Self {
        self.options.tools.allow_skipping_permissions = allow;
        self
    }

    /// The full name of an MCP tool that is asked for permission. Cannot be combined with
    /// [`can_use_tool`](Self::can_use_tool).
    pub fn permission_prompt_tool(mut self, name: impl Into<String>) -> Self {
        self.options.tools.permission_prompt_tool = Some(name.into());
        self
    }

    /// Asks `callback` for permission when neither a rule nor the mode decides.
    ///
    /// ```
    /// # use toolwright::agent::options::AgentOptions;
    /// # use toolwright::agent::permission::{Permission, PermissionRequest};
    /// let options = AgentOptions::builder()
    ///     .can_use_tool(|request: PermissionRequest| async move {
    ///         match request.tool_name.as_str() {
    ///             "Bash" => Permission::deny("no shell here"),
    ///             _ => Permission::allow(),
    ///         }
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::agent::options::OptionsError>(())
    /// ```
    pub fn can_use_tool(mut self, callback: impl CanUseTool) -> Self {
        self.options.tools.can_use_tool = Some(callback.into_callback());
        self
    }

    /// Adds a hook: `callback` is called for the events that `matcher` selects, and may decide
    /// about them.
    pub fn hook<E, F, Fut>(mut self, matcher: HookMatcher<E>, callback: F) -> Self
    where
        E: HookEvent,
        F: Fn(E::Input, HookContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = HookOutput<E>> + Send + 'static,
    {
        self.options.tools.hooks.push(Hook::new(matcher, callback));
        self
    }

    /// Adds an MCP server: a [`ToolRegistry`] of this program, or a [`McpServer`] elsewhere.
    pub fn mcp_server(mut self, server: impl Into<McpServer>) -> Self {
        self.options.tools.servers.push(server.into());
        self
    }

    /// Adds the MCP servers of a configuration file that the CLI reads. A relative path is relative
    /// to the CLI's working folder.
    pub fn mcp_config(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.tools.mcp_configs.push(path.into());
        self
    }

    /// Whether only the MCP servers of these options are used, and none of the user, the project or
    /// plugins.
    pub fn strict_mcp_config(mut self, strict: bool) -> Self {
        self.options.tools.strict_mcp_config = strict;
        self
    }

    /// Adds subagents, by name.
    pub fn agents<N: Into<String>>(
        mut self,
        agents: impl IntoIterator<Item = (N, AgentDefinition)>,
    ) -> Self {
        self.options
            .tools
            .agents
            .extend(agents.into_iter().map(|(name, agent)| (name.into(), agent)));
        self
    }

    /// Whether the CLI stores the files as they were before each prompt, so that `rewind_files` can
    /// restore them.
    pub fn enable_file_checkpointing(mut self, yes: bool) -> Self {
        self.options.tools.file_checkpointing = yes;
        self
    }
}
