//! Inputs of the events about what is said.

use super::inputs;
use crate::agent::wire::words;

inputs! {
    /// The input of a `UserPromptSubmit` hook. When a task in the background ends, the CLI gives
    /// itself a prompt, for which it calls the hook, too: it begins with `<task-notification>`, and
    /// a hook that blocks it changes nothing.
    UserPromptSubmitInput {
        /** The prompt. */ prompt: String,
        /** Where it comes from. */ source: Option<PromptSource>,
        /** The session's title. */ session_title: Option<String>,
    }

    /// The input of a `UserPromptExpansion` hook.
    UserPromptExpansionInput {
        /** What is expanded. */ expansion_type: ExpansionType,
        /** The command. */ command_name: String,
        /** What was written behind it. */ command_args: String,
        /** Where the command comes from. */ command_source: Option<String>,
        /** The prompt as it was written. */ prompt: String,
    }

    /// The input of a `Notification` hook.
    NotificationInput {
        /** The text. */ message: String,
        /** Its title. */ title: Option<String>,
        /// What it is about, such as `permission_prompt` or `idle_prompt`.
        notification_type: String,
    }

    /// The input of a `MessageDisplay` hook.
    MessageDisplayInput {
        /** The turn. */ turn_id: String,
        /** The message. */ message_id: String,
        /** Which piece of it this is. */ index: u64,
        /** Whether it is the last one. */ is_final = "final": bool,
        /** The piece. */ delta: String,
    }
}

words! {
    /// Where a prompt comes from.
    PromptSource {
        /** A person. */ User = "user",
        /** The program that uses the SDK. */ Sdk = "sdk",
        /** The CLI. */ System = "system",
        /** A loop that goes on. */ LoopWakeup = "loop_wakeup",
        /** A schedule. */ ScheduleWakeup = "schedule_wakeup",
        /** Something that was polled for. */ PollEvent = "poll_event",
    }

    /// What becomes a prompt.
    ExpansionType {
        /** A slash command. */ SlashCommand = "slash_command",
        /** A prompt of an MCP server. */ McpPrompt = "mcp_prompt",
    }
}
