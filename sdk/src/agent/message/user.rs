use super::block::{ContentBlock, MessageContent, ToolResultBlock};
use super::envelope::message;
use crate::agent::wire::{RawJson, record};

message! {
    /// Input of the model: prompts, results of tools, and what the CLI adds by itself.
    pub struct UserMessage {
        /** The message itself. */ pub message: MessageParam,
        /// The tool call whose subagent it belongs to; none for the main conversation.
        pub parent_tool_use_id: Option<String>,
        /** It was made by the CLI. */ pub is_synthetic: bool = "isSynthetic",
        /** It repeats a message that was queued or resumed. */ pub is_replay: bool = "isReplay",
        /** The tool's result in the CLI's own form. */ pub tool_use_result: Option<RawJson>,
        /** Its place in the queue: `now`, `next` or `later`. */ pub priority: Option<String>,
        /** Its author. */ pub origin: Option<MessageOrigin>,
        /** Whether it is to run a turn. */ pub should_query: Option<bool> = "shouldQuery",
        /** Its time, in RFC 3339. */ pub timestamp: Option<String>,
        /** Commands and mentions in it have no effect. */ pub client_composed: bool,
        /** What was pasted into it, in the API's form. */ pub pasted_content: Option<RawJson>,
        /** Texts that were pasted into it. */ pub inline_pastes: Vec<String>,
        /** Files that came with it, in the CLI's form. */ pub file_attachments: Vec<RawJson>,
        /** The subagent that it belongs to. */ pub agent_id: Option<String>,
        /** The kind of that subagent. */ pub subagent_type: Option<String>,
        /** The task of that subagent. */ pub task_description: Option<String>,
    }
}

record! {
    /// A message of a conversation, as it is sent to the API.
    pub struct MessageParam {
        /** `user`, as a rule. */ pub role: String,
        /** Its content. */ pub content: MessageContent,
    }

    /// The author of a message.
    pub struct MessageOrigin {
        /// `human`, `channel`, `peer`, `task-notification`, `coordinator`, `unclassified`,
        /// `observer`, `auto-continuation` or `observer-activity`.
        pub kind: String,
        /** The MCP server of a channel. */ pub server: Option<String>,
        /** The peer's or observer's name for itself. */ pub from: Option<String>,
        /// How the peer asks for permissions: `bypass` or `prompting`.
        pub from_mode: Option<String> = "fromMode",
        /** The peer's name. */ pub name: Option<String>,
        /** The peer's session. */ pub from_session: Option<String> = "fromSession",
        /// The task that the sender works on.
        pub sender_task_id: Option<String> = "senderTaskId",
        /** The peer's text. */ pub body: Option<String>,
        /// The peer's process id, if it was checked.
        pub verified_peer_pid: Option<u64> = "verifiedPeerPid",
        /// What kind of notification it is, such as `scheduled-trigger`.
        pub subkind: Option<String>,
        /** Why a trigger fired. */ pub fire_reason: Option<String> = "fireReason",
        /** The trigger's run. */ pub run_id: Option<String> = "runId",
    }
}

impl UserMessage {
    /// Its text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        self.message.content.text()
    }

    /// The results of tools in it.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResultBlock> {
        self.message.content.blocks().iter().filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result),
            _ => None,
        })
    }
}
