//! Setters for tools and permissions.

use std::path::PathBuf;

use super::AgentOptionsBuilder;
use crate::ToolRegistry;
use crate::agent::hook::{Hook, HookContext, HookEvent, HookMatcher, HookOutput};
use crate::agent::options::agent::AgentDefinition;
use crate::agent::options::server::McpServer;
use crate::agent::permission::{CanUseTool, PermissionMode};

/// Tools, permissions, hooks, servers, subagents.
impl AgentOptionsBuilder {
    /// The only built-in tools that there are, such as `["Read", "Grep"]`; `["default"]` is the
    /// usual set, which there is without this too. Tools of MCP servers come on top.
    pub fn tools(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.tools.tools.get_or_insert_default().extend(names.into_iter().map(Into::into));
        self
    }

    /// No built-in tools at all: the model has those of the MCP servers only.
    pub fn no_tools(mut self) -> Self {
        self.options.tools.tools = Some(Vec::new());
        self
    }

    /// Adds rules for what may be used without asking: a tool's name, `Bash(git log *)`,
    /// `mcp__calc__add`, `mcp__calc__*`. A rule allows; it is [`tools`](Self::tools) that says
    /// which tools there are.
    pub fn allowed_tools(mut self, rules: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.tools.allowed.extend(rules.into_iter().map(Into::into));
        self
    }

    /// Allows all tools of a registry, those included that are added while the run goes on:
    /// `mcp__<name>__*`. To allow only the tools that it has now, give
    /// [`allowed_tools`](Self::allowed_tools) what [`ToolRegistry::allowed_tools`] says.
    pub fn allow_registry(self, registry: &ToolRegistry) -> Self {
        self.allowed_tools([format!("mcp__{}__*", registry.name())])
    }

    /// Adds rules for what may not be used. They come before all others, and a rule that is only a
    /// name hides the tool from the model.
    pub fn disallowed_tools(mut self, rules: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.tools.disallowed.extend(rules.into_iter().map(Into::into));
        self
    }

    /// How much is allowed without asking. [`PermissionMode::BypassPermissions`] needs
    /// [`allow_dangerously_skip_permissions`](Self::allow_dangerously_skip_permissions).
    pub fn permission_mode(mut self, mode: impl Into<PermissionMode>) -> Self {
        self.options.tools.permission_mode = Some(mode.into());
        self
    }

    /// Lets the run be in, or change to, the mode in which nothing is asked. The CLI refuses it to
    /// root.
    pub fn allow_dangerously_skip_permissions(mut self, allow: bool) -> Self {
        self.options.tools.allow_skipping_permissions = allow;
        self
    }

    /// The MCP tool that is asked for permission, by its full name. Not beside
    /// [`can_use_tool`](Self::can_use_tool).
    pub fn permission_prompt_tool(mut self, name: impl Into<String>) -> Self {
        self.options.tools.permission_prompt_tool = Some(name.into());
        self
    }

    /// Is asked for permission where neither a rule nor the mode decides.
    ///
    /// ```
    /// # use toolwright::agent::options::AgentOptions;
    /// # use toolwright::agent::permission::{Permission, PermissionRequest};
    /// let options = AgentOptions::builder()
    ///     .can_use_tool(|request: PermissionRequest| async move {
    ///         if request.tool_name == "Bash" { Permission::deny("no shell here") } else { Permission::allow() }
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::agent::options::OptionsError>(())
    /// ```
    pub fn can_use_tool(mut self, callback: impl CanUseTool) -> Self {
        self.options.tools.can_use_tool = Some(callback.into_callback());
        self
    }

    /// Adds a hook: `callback` is told of the events that `matcher` chooses, and may decide on
    /// them.
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

    /// Adds the MCP servers of a configuration file, which the CLI reads; a relative path is
    /// relative to its working folder.
    pub fn mcp_config(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.tools.mcp_configs.push(path.into());
        self
    }

    /// Uses no MCP servers but those of these options, none of the user's, the project's or
    /// plugins' own.
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

    /// Lets the CLI keep the files as they were before each prompt, so that they can be brought
    /// back (`rewind_files`).
    pub fn enable_file_checkpointing(mut self, yes: bool) -> Self {
        self.options.tools.file_checkpointing = yes;
        self
    }
}
