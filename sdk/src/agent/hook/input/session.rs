//! Inputs of the events about sessions and turns.

use super::inputs;
use crate::agent::wire::{record, words};

inputs! {
    /// The input of a `SessionStart` hook.
    SessionStartInput {
        /** How it begins. */ source: SessionStartSource,
        /** The model. */ model: Option<String>,
        /** The session's title. */ session_title: Option<String>,
        /** How long ago the last answer was. */ seconds_since_last_response: Option<f64>,
        /** How much of the context is used. */ context_tokens: Option<u64>,
        /// Whether the cached prompt is probably gone.
        prompt_cache_likely_expired: Option<bool>,
        /** What it costs to cache it again. */ estimated_cache_write_usd: Option<f64>,
    }

    /// The input of a `SessionEnd` hook.
    SessionEndInput {
        /** Why it ends. */ reason: ExitReason,
    }

    /// The input of a `Setup` hook.
    SetupInput {
        /** What for. */ trigger: SetupTrigger,
    }

    /// The input of a `Stop` hook.
    StopInput {
        /// Whether the agent already goes on because of a `Stop` hook. If hooks block the end once
        /// more after eight times in a row, the CLI (2.1.328) ends the turn all the same, with an
        /// empty result that is no error. The variable `CLAUDE_CODE_STOP_HOOK_BLOCK_CAP` sets
        /// another number.
        stop_hook_active: bool,
        /** What the agent said at the end. */ last_assistant_message: Option<String>,
        /** What still runs. */ background_tasks: Vec<BackgroundTaskSummary>,
        /** What is scheduled. */ session_crons: Vec<SessionCronSummary>,
    }

    /// The input of a `StopFailure` hook.
    StopFailureInput {
        /** The kind of error, such as `rate_limit` or `server_error`. */ error: String,
        /** More on it. */ error_details: Option<String>,
        /** What the agent said at the end. */ last_assistant_message: Option<String>,
    }

    /// The input of a `PreCompact` hook.
    PreCompactInput {
        /** Who wants it. */ trigger: CompactTrigger,
        /** What to look at, given with the command. */ custom_instructions: Option<String>,
    }

    /// The input of a `PostCompact` hook.
    PostCompactInput {
        /** Who wanted it. */ trigger: CompactTrigger,
        /** What the conversation has become. */ compact_summary: String,
    }
}

record! {
    /// Something that runs in the background.
    pub struct BackgroundTaskSummary {
        /** Its id. */ pub id: String,
        /** Its kind. */ pub task_type: String = "type",
        /** How it is. */ pub status: String,
        /** What it is for. */ pub description: String,
        /** The command of a shell. */ pub command: Option<String>,
        /** The type of a subagent. */ pub agent_type: Option<String>,
        /** The MCP server. */ pub server: Option<String>,
        /** The tool of the server. */ pub tool: Option<String>,
        /** Its name. */ pub name: Option<String>,
    }

    /// A prompt that is scheduled.
    pub struct SessionCronSummary {
        /** Its id. */ pub id: String,
        /** When. */ pub schedule: String,
        /** Whether more than once. */ pub recurring: bool,
        /** The prompt. */ pub prompt: String,
    }
}

words! {
    /// How a session begins.
    SessionStartSource {
        /** It is new. */ Startup = "startup",
        /** An older one goes on. */ Resume = "resume",
        /** It was cleared. */ Clear = "clear",
        /** It was compacted. */ Compact = "compact",
        /** It is a branch of another one. */ Fork = "fork",
    }

    /// Why a session ends.
    ExitReason {
        /** It was cleared. */ Clear = "clear",
        /** Another one goes on. */ Resume = "resume",
        /** The user has logged out. */ Logout = "logout",
        /** The user left at the prompt. */ PromptInputExit = "prompt_input_exit",
        /** Something else, without a name. */ Unnamed = "other",
    }

    /// What a project is prepared for.
    SetupTrigger {
        /** The first use. */ Init = "init",
        /** Maintenance. */ Maintenance = "maintenance",
    }

    /// Who wants a conversation to be compacted.
    CompactTrigger {
        /** The user. */ Manual = "manual",
        /** The CLI, as the context is nearly full. */ Auto = "auto",
    }
}
