use std::sync::Arc;

use super::envelope::message;
use crate::agent::wire::{record, words};

message! {
    /// The conversation begins anew. Messages from here on belong to another session.
    pub struct ConversationResetMessage {
        /// The new conversation. This is not the id of its session, which later messages have.
        pub new_conversation_id: String,
        /// Why: `clear`, `plan_mode_exit`, `fresh_session` or `onboarding`.
        pub trigger: Option<String>,
        /** The user message that asked for it. */ pub user_message_uuid: Option<String>,
        /** When, in RFC 3339. */ pub timestamp: Option<String>,
    }

    /// How far a prompt is on its way through the CLI's queue. The last of these comes behind the
    /// result of the prompt's turn.
    pub struct CommandLifecycleMessage {
        /** The user message. */ pub command_uuid: String,
        /** How far it is. */ pub state: CommandState,
        /// What began the turn if it was no prompt: `loop_wakeup` or `schedule_wakeup`.
        pub wakeup_source: Option<String>,
        /// The time that a `loop_wakeup` was set for, in ms since 1970.
        pub scheduled_for: Option<u64>,
    }

    /// How the CLI is logging in.
    pub struct AuthStatusMessage {
        /** The login is in progress. */ pub is_authenticating: bool = "isAuthenticating",
        /** Its output, in lines. */ pub output: Vec<String>,
        /** Why it failed. */ pub error: Option<String>,
    }

    /// A summary of some tool calls.
    pub struct ToolUseSummaryMessage {
        /** The summary. */ pub summary: String,
        /** The calls. */ pub preceding_tool_use_ids: Vec<String>,
    }

    /// A prompt that the user might write next; comes after the result.
    pub struct PromptSuggestionMessage {
        /** The prompt. */ pub suggestion: String,
    }

    /// A goal that the CLI works towards by itself.
    pub struct ActiveGoalMessage {
        /** The goal; `None` if there is no longer one. */ pub value: Option<ActiveGoal>,
    }

    /// A message that this version does not know, whole; also a text that is no message at all.
    pub struct UnknownMessage {
        /** Its type; empty where there is none. */ pub r#type: String = "type",
    }
}

record! {
    /// A goal that the CLI works towards by itself.
    pub struct ActiveGoal {
        /** The condition under which it is reached. */ pub condition: String,
        /** How often it was tried. */ pub iterations: u64,
        /** When it was set, in ms since 1970. */ pub set_at: u64,
        /** The tokens used until then. */ pub tokens_at_start: u64,
        /** Why it is not reached yet. */ pub last_reason: Option<String>,
    }
}

words! {
    /// How far a prompt is on its way through the CLI's queue.
    CommandState {
        /** It waits in the queue. */ Queued = "queued",
        /** A turn has taken it up. */ Started = "started",
        /** Its turn has ended. */ Completed = "completed",
        /// It was taken out of the queue, or its turn was interrupted.
        Cancelled = "cancelled",
        /** The CLI has dropped it. */ Discarded = "discarded",
        /** The CLI does not take it. */ Refused = "refused",
    }
}

impl CommandState {
    /// Whether no more will come of the prompt.
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled | Self::Discarded | Self::Refused)
    }
}

impl UnknownMessage {
    /// A text that is no JSON object.
    pub(super) fn without_form(raw: Arc<str>) -> Box<Self> {
        Box::new(Self { raw: raw.into(), ..Self::default() })
    }
}
