//! Other messages of the CLI.

use crate::agent::message::envelope::message;
use crate::agent::wire::record;

message! {
    /// The output of a command of the CLI's.
    pub struct LocalCommandOutputMessage {
        /** The output. */ pub content: String,
    }

    /// How the installation of plugins goes.
    pub struct PluginInstallMessage {
        /** `started`, `installed`, `failed` or `completed`. */ pub status: String,
        /** The plugin. */ pub name: Option<String>,
        /** Why it failed. */ pub error: Option<String>,
    }

    /// The commands changed.
    pub struct CommandsChangedMessage {
        /** The commands; they replace those that were known. */ pub commands: Vec<SlashCommand>,
    }

    /// Something to show to the user.
    pub struct NotificationMessage {
        /** What it is about; a newer one replaces an older. */ pub key: String,
        /** The text. */ pub text: String,
        /** `low`, `medium`, `high` or `immediate`. */ pub priority: String,
        /** Its color. */ pub color: Option<String>,
        /** How long to show it, in ms. */ pub timeout_ms: Option<u64>,
    }

    /// Something to show to the user in the conversation.
    pub struct InformationalMessage {
        /** The text. */ pub content: String,
        /** `info`, `notice`, `suggestion` or `warning`. */ pub level: String,
        /** The tool call that it is about. */ pub tool_use_id: Option<String>,
        /** The conversation does not go on. */ pub prevent_continuation: bool,
        /** What it is about. */ pub tag: Option<String>,
    }

    /// The CLI recalled memories.
    pub struct MemoryRecallMessage {
        /** `select` or `synthesize`. */ pub mode: String,
        /** The memories. */ pub memories: Vec<RecalledMemory>,
    }

    /// What an MCP server asked by a URL is done, as it says. After a form none comes.
    pub struct ElicitationCompleteMessage {
        /** The server. */ pub mcp_server_name: String,
        /** The question. */ pub elicitation_id: String,
    }

    /// A tool call was denied.
    pub struct PermissionDeniedMessage {
        /** The tool. */ pub tool_name: String,
        /** The call's id. */ pub tool_use_id: String,
        /** The subagent that called it. */ pub agent_id: Option<String>,
        /// The kind of reason, such as a rule or a mode.
        pub decision_reason_type: Option<String>,
        /** Why. */ pub decision_reason: Option<String>,
        /** The text that the model gets. */ pub message: String,
    }

    /// A system message that this version does not know, whole.
    pub struct OtherSystemMessage {
        /** Its subtype; empty where there is none. */ pub subtype: String,
    }
}

record! {
    /// A command of the CLI's.
    pub struct SlashCommand {
        /** Its name, without the slash. */ pub name: String,
        /** What it does. */ pub description: String,
        /** What may follow it. */ pub argument_hint: String = "argumentHint",
        /** Its other names. */ pub aliases: Vec<String>,
        /** It is a part of the CLI. */ pub builtin: bool,
    }

    /// A memory of the CLI's.
    pub struct RecalledMemory {
        /** Where it is. */ pub path: String,
        /** Its owner: `personal`, `team` or `organization`. */ pub scope: String,
        /** Its text. */ pub content: Option<String>,
    }
}
