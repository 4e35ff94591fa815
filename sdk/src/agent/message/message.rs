use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::assistant::AssistantMessage;
use super::envelope::Envelope;
use super::notice::{
    ActiveGoalMessage, AuthStatusMessage, CommandLifecycleMessage, ConversationResetMessage,
    PromptSuggestionMessage, ToolUseSummaryMessage, UnknownMessage,
};
use super::rate_limit::RateLimitMessage;
use super::result::ResultMessage;
use super::stream::StreamEvent;
use super::system::SystemMessage;
use super::tool_progress::ToolProgressMessage;
use super::user::UserMessage;
use crate::agent::wire::{self, Cursor};
use crate::scan;

/// Defines the messages: `type => Variant(struct)`.
macro_rules! types {
    ($(#[$meta:meta])* pub enum Message {
        $($(#[$doc:meta])* $type:literal => $variant:ident($message:ident),)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Message {
            $($(#[$doc])* $variant(Box<$message>),)*
            /// News of the CLI itself.
            System(SystemMessage),
            /// A message that this version does not know, whole.
            Unknown(Box<UnknownMessage>),
        }

        impl Message {
            /// Reads a line of the CLI's. A text that is no JSON object is an
            /// [`Unknown`](Message::Unknown) message.
            pub fn parse(raw: impl Into<Arc<str>>) -> Self {
                let raw = raw.into();
                let mut json = Cursor::of(&raw);
                let message = match json.tag().as_deref() {
                    $(Some($type) => wire::read(json).map(Self::$variant),)*
                    Some("system") => SystemMessage::read(json).map(Self::System),
                    _ => wire::read(json).map(Self::Unknown),
                };
                message.unwrap_or_else(|| Self::Unknown(UnknownMessage::without_form(raw)))
            }

            /// Its `type`, as the CLI wrote it; empty where there is none.
            pub fn r#type(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $type,)*
                    Self::System(_) => "system",
                    Self::Unknown(message) => &message.r#type,
                }
            }

            fn envelope(&self) -> &dyn Envelope {
                match self {
                    $(Self::$variant(message) => &**message,)*
                    Self::System(message) => message.envelope(),
                    Self::Unknown(message) => &**message,
                }
            }
        }
    };
}

types! {
    /// A message of the CLI's.
    ///
    /// ```
    /// use toolwright::agent::Message;
    ///
    /// let line = r#"{"type":"result","num_turns":1,"result":"42","newer":true}"#;
    /// let message = Message::parse(line);
    /// let Message::Result(result) = &message else { unreachable!() };
    /// assert_eq!((&*result.text(), result.num_turns), ("42", 1));
    /// assert_eq!(message.member("newer"), Some("true"));
    /// ```
    pub enum Message {
        /// Prompts and results of tools, as the model gets them.
        "user" => User(UserMessage),
        /// An answer of the model.
        "assistant" => Assistant(AssistantMessage),
        /// The end of a turn.
        "result" => Result(ResultMessage),
        /// A piece of an answer while the model writes it.
        "stream_event" => StreamEvent(StreamEvent),
        /// How near the account is to its limits.
        "rate_limit_event" => RateLimit(RateLimitMessage),
        /// The conversation begins anew.
        "conversation_reset" => ConversationReset(ConversationResetMessage),
        /// How far a prompt is on its way through the CLI's queue.
        "command_lifecycle" => CommandLifecycle(CommandLifecycleMessage),
        /// A tool is still running.
        "tool_progress" => ToolProgress(ToolProgressMessage),
        /// How the CLI is logging in.
        "auth_status" => AuthStatus(AuthStatusMessage),
        /// A summary of some tool calls.
        "tool_use_summary" => ToolUseSummary(ToolUseSummaryMessage),
        /// A prompt that the user might write next.
        "prompt_suggestion" => PromptSuggestion(PromptSuggestionMessage),
        /// A goal that the CLI works towards by itself.
        "active_goal" => ActiveGoal(ActiveGoalMessage),
    }
}

impl Message {
    /// The line that it came in, byte for byte.
    pub fn raw(&self) -> &str {
        self.envelope().raw()
    }

    /// The JSON text of one of its members, also of one that this version does not know.
    pub fn member(&self, name: &str) -> Option<&str> {
        scan::member(self.raw(), name)
    }

    /// Its session.
    pub fn session_id(&self) -> Option<&str> {
        Some(self.envelope().session_id()).filter(|id| !id.is_empty())
    }

    /// Its own id.
    pub fn uuid(&self) -> Option<&str> {
        Some(self.envelope().uuid()).filter(|id| !id.is_empty())
    }

    /// The user message that began the turn it belongs to, where it says so; of several, the last.
    /// [`ResultMessage::user_message_uuids`] has all that the turn took up.
    pub fn user_message_uuid(&self) -> Option<&str> {
        match self {
            Self::Assistant(message) => message.user_message_uuid.as_deref(),
            Self::StreamEvent(message) => message.user_message_uuid.as_deref(),
            Self::Result(message) => message.user_message_uuid.as_deref(),
            Self::ConversationReset(message) => message.user_message_uuid.as_deref(),
            Self::CommandLifecycle(message) => Some(&message.command_uuid),
            Self::System(SystemMessage::Init(message)) => {
                message.user_message_uuids.last().map(String::as_str)
            }
            Self::System(SystemMessage::ThinkingTokens(message)) => {
                message.user_message_uuid.as_deref()
            }
            _ => None,
        }
    }

    /// The tool call whose subagent it belongs to; none for the main conversation.
    pub fn parent_tool_use_id(&self) -> Option<&str> {
        match self {
            Self::User(message) => message.parent_tool_use_id.as_deref(),
            Self::Assistant(message) => message.parent_tool_use_id.as_deref(),
            Self::StreamEvent(message) => message.parent_tool_use_id.as_deref(),
            _ => None,
        }
    }
}

/// As it came. A line that is no JSON cannot be written.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        wire::serialize(self.raw(), serializer)
    }
}
