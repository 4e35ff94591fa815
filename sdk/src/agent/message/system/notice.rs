//! What the CLI tells besides.

use crate::agent::message::envelope::message;
use crate::agent::wire::record;

message! {
    /// What a command of the CLI's printed.
    pub struct LocalCommandOutputMessage {
        /// The output.
        pub content: String,
    }
}

message! {
    /// How the installation of plugins goes.
    pub struct PluginInstallMessage {
        /// `started`, `installed`, `failed` or `completed`.
        pub status: String,
        /// The plugin.
        pub name: Option<String>,
        /// Why it failed.
        pub error: Option<String>,
    }
}

message! {
    /// The commands changed.
    pub struct CommandsChangedMessage {
        /// The commands; they replace those that were known.
        pub commands: Vec<SlashCommand>,
    }
}

record! {
    /// A command of the CLI's.
    pub struct SlashCommand {
        /// Its name, without the slash.
        pub name: String,
        /// What it does.
        pub description: String,
        /// What may follow it.
        pub argument_hint: String = "argumentHint",
        /// Its other names.
        pub aliases: Vec<String>,
        /// It is a part of the CLI.
        pub builtin: bool,
    }
}

message! {
    /// Something to show to the user.
    pub struct NotificationMessage {
        /// What it is about; a newer one replaces an older.
        pub key: String,
        /// The text.
        pub text: String,
        /// `low`, `medium`, `high` or `immediate`.
        pub priority: String,
        /// Its color.
        pub color: Option<String>,
        /// How long to show it, in ms.
        pub timeout_ms: Option<u64>,
    }
}

message! {
    /// Something to show to the user in the conversation.
    pub struct InformationalMessage {
        /// The text.
        pub content: String,
        /// `info`, `notice`, `suggestion` or `warning`.
        pub level: String,
        /// The tool call that it is about.
        pub tool_use_id: Option<String>,
        /// The conversation does not go on.
        pub prevent_continuation: bool,
        /// What it is about.
        pub tag: Option<String>,
    }
}

message! {
    /// The CLI looked up what it remembers.
    pub struct MemoryRecallMessage {
        /// `select` or `synthesize`.
        pub mode: String,
        /// What it found.
        pub memories: Vec<RecalledMemory>,
    }
}

record! {
    /// Something that the CLI remembers.
    pub struct RecalledMemory {
        /// Where it is.
        pub path: String,
        /// Whose it is: `personal`, `team` or `organization`.
        pub scope: String,
        /// What it says.
        pub content: Option<String>,
    }
}

message! {
    /// The user answered what an MCP server asked.
    pub struct ElicitationCompleteMessage {
        /// The server.
        pub mcp_server_name: String,
        /// The question.
        pub elicitation_id: String,
    }
}

message! {
    /// A tool call was not permitted.
    pub struct PermissionDeniedMessage {
        /// The tool.
        pub tool_name: String,
        /// The call's id.
        pub tool_use_id: String,
        /// The subagent that called it.
        pub agent_id: Option<String>,
        /// What decided, such as a rule or a mode.
        pub decision_reason_type: Option<String>,
        /// Why.
        pub decision_reason: Option<String>,
        /// What the model is told.
        pub message: String,
    }
}

message! {
    /// A system message that this version does not know, whole.
    pub struct OtherSystemMessage {
        /// Its subtype; empty where there is none.
        pub subtype: String,
    }
}
