use crate::agent::message::envelope::message;
use crate::agent::message::mcp_server::McpServerStatus;
use crate::agent::wire::record;

message! {
    /// How the CLI is set up; comes at the beginning of each turn.
    pub struct InitMessage {
        /** The CLI's version. */ pub claude_code_version: String,
        /** The working folder. */ pub cwd: String,
        /** The model. */ pub model: String,
        /// `default`, `acceptEdits`, `plan`, `bypassPermissions` or another.
        pub permission_mode: String = "permissionMode",
        /** The user messages that begin the turn. */ pub user_message_uuids: Vec<String>,
        /** The tools that the model has. */ pub tools: Vec<String>,
        /** The MCP servers. */ pub mcp_servers: Vec<McpServerStatus>,
        /// The MCP servers of the options and of configuration files that the CLI has left out.
        pub mcp_server_errors: Vec<McpServerError>,
        /** The commands. */ pub slash_commands: Vec<String>,
        /** The commands that only a terminal has. */ pub terminal_slash_commands: Vec<String>,
        /** The kinds of subagents. */ pub agents: Vec<String>,
        /** The skills. */ pub skills: Vec<String>,
        /** The plugins. */ pub plugins: Vec<LoadedPlugin>,
        /** The plugins that could not be loaded. */ pub plugin_errors: Vec<PluginError>,
        /// Where the API key is from, such as `ANTHROPIC_API_KEY`, `oauth` or `none`.
        pub api_key_source: String = "apiKeySource",
        /** The API's betas. */ pub betas: Vec<String>,
        /** The output style. */ pub output_style: String,
        /// How hard the model thinks: `low`, `medium`, `high`, `xhigh` or `max`.
        pub effort: Option<String>,
        /** `focus` or `default`. */ pub view_mode: Option<String>,
        /** `off`, `cooldown` or `on`. */ pub fast_mode_state: Option<String>,
        /** Why fast mode is off. */ pub fast_mode_disabled_reason: Option<String>,
        /** What this CLI can do, such as `interrupt_receipt_v1`. */ pub capabilities: Vec<String>,
    }
}

record! {
    /// An MCP server that the CLI has left out, as if it had not been named.
    pub struct McpServerError {
        /** The server. */ pub name: String,
        /// What kind of error, such as `reserved_name` or `invalid_config`.
        pub r#type: String = "type",
        /** What is wrong. */ pub message: String,
    }

    /// A plugin that the CLI has loaded.
    pub struct LoadedPlugin {
        /** Its name. */ pub name: String,
        /** Where it is. */ pub path: String,
        /** Where it is from. */ pub source: Option<String>,
        /** Its version. */ pub version: Option<String>,
    }

    /// A plugin that could not be loaded.
    pub struct PluginError {
        /** The plugin. */ pub plugin: String,
        /** What kind of error. */ pub r#type: String = "type",
        /** What is wrong. */ pub message: String,
        /** Where. */ pub path: Option<String>,
        /** What the organisation decided about it. */ pub managed_lock: Option<ManagedLock>,
    }

    /// What an organisation decided about a plugin.
    pub struct ManagedLock {
        /** It is switched on. */ pub plugin_enabled: bool,
        /** Its name. */ pub name: String,
        /** Where it is from. */ pub marketplace: Option<String>,
    }
}
