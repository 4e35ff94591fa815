use std::sync::Arc;

use super::assistant::AssistantMessage;
use super::envelope::{self, Envelope};
use super::notice::{
    ActiveGoalMessage, AuthStatusMessage, ConversationResetMessage, PromptSuggestionMessage,
    ToolUseSummaryMessage, UnknownMessage,
};
use super::rate_limit::RateLimitMessage;
use super::result::ResultMessage;
use super::stream::StreamEvent;
use super::system::SystemMessage;
use super::tool_progress::ToolProgressMessage;
use super::user::UserMessage;
use crate::agent::wire::tag;
use crate::scan;

/// A message of the CLI's.
///
/// ```
/// use toolwright::agent::Message;
///
/// let line = r#"{"type":"result","subtype":"success","num_turns":1,"result":"42","newer":true}"#;
/// let message = Message::parse(line);
/// let Message::Result(result) = &message else { unreachable!() };
/// assert_eq!((&*result.text(), result.num_turns), ("42", 1));
/// assert_eq!(message.member("newer"), Some("true"));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// Prompts and results of tools, as the model gets them.
    User(Box<UserMessage>),
    /// An answer of the model.
    Assistant(Box<AssistantMessage>),
    /// News of the CLI itself.
    System(SystemMessage),
    /// The end of a turn.
    Result(Box<ResultMessage>),
    /// A piece of an answer while the model writes it.
    StreamEvent(Box<StreamEvent>),
    /// How near the account is to its limits.
    RateLimit(Box<RateLimitMessage>),
    /// The conversation begins anew.
    ConversationReset(Box<ConversationResetMessage>),
    /// A tool is still running.
    ToolProgress(Box<ToolProgressMessage>),
    /// How the CLI is logging in.
    AuthStatus(Box<AuthStatusMessage>),
    /// A summary of some tool calls.
    ToolUseSummary(Box<ToolUseSummaryMessage>),
    /// A prompt that the user might write next.
    PromptSuggestion(Box<PromptSuggestionMessage>),
    /// A goal that the CLI works towards by itself.
    ActiveGoal(Box<ActiveGoalMessage>),
    /// A message that this version does not know, whole.
    Unknown(Box<UnknownMessage>),
}

impl Message {
    /// Reads a line of the CLI's. A text that is no JSON object is an [`Unknown`](Message::Unknown)
    /// message.
    pub fn parse(raw: impl Into<Arc<str>>) -> Self {
        let raw = raw.into();
        let read: fn(Arc<str>) -> Result<Self, Arc<str>> = match tag(&raw, "type").as_deref() {
            Some("user") => |raw| envelope::read(raw).map(Self::User),
            Some("assistant") => |raw| envelope::read(raw).map(Self::Assistant),
            Some("system") => |raw| SystemMessage::read(raw).map(Self::System),
            Some("result") => |raw| envelope::read(raw).map(Self::Result),
            Some("stream_event") => |raw| envelope::read(raw).map(Self::StreamEvent),
            Some("rate_limit_event") => |raw| envelope::read(raw).map(Self::RateLimit),
            Some("conversation_reset") => |raw| envelope::read(raw).map(Self::ConversationReset),
            Some("tool_progress") => |raw| envelope::read(raw).map(Self::ToolProgress),
            Some("auth_status") => |raw| envelope::read(raw).map(Self::AuthStatus),
            Some("tool_use_summary") => |raw| envelope::read(raw).map(Self::ToolUseSummary),
            Some("prompt_suggestion") => |raw| envelope::read(raw).map(Self::PromptSuggestion),
            Some("active_goal") => |raw| envelope::read(raw).map(Self::ActiveGoal),
            _ => |raw| envelope::read(raw).map(Self::Unknown),
        };
        read(raw).unwrap_or_else(|raw| Self::Unknown(UnknownMessage::without_form(&raw)))
    }

    /// The line that it came in, byte for byte.
    pub fn raw(&self) -> &str {
        self.envelope().raw()
    }

    /// The JSON text of one of its members, also of one that this version does not know.
    pub fn member(&self, name: &str) -> Option<&str> {
        scan::member(self.raw(), name)
    }

    /// Its `type`, as the CLI wrote it; empty where there is none.
    pub fn r#type(&self) -> &str {
        match self {
            Self::User(_) => "user",
            Self::Assistant(_) => "assistant",
            Self::System(_) => "system",
            Self::Result(_) => "result",
            Self::StreamEvent(_) => "stream_event",
            Self::RateLimit(_) => "rate_limit_event",
            Self::ConversationReset(_) => "conversation_reset",
            Self::ToolProgress(_) => "tool_progress",
            Self::AuthStatus(_) => "auth_status",
            Self::ToolUseSummary(_) => "tool_use_summary",
            Self::PromptSuggestion(_) => "prompt_suggestion",
            Self::ActiveGoal(_) => "active_goal",
            Self::Unknown(message) => &message.r#type,
        }
    }

    /// Its session.
    pub fn session_id(&self) -> Option<&str> {
        Some(self.envelope().session_id()).filter(|id| !id.is_empty())
    }

    /// Its own id.
    pub fn uuid(&self) -> Option<&str> {
        Some(self.envelope().uuid()).filter(|id| !id.is_empty())
    }

    /// The user message that began the turn it belongs to, where it says so.
    pub fn user_message_uuid(&self) -> Option<&str> {
        match self {
            Self::Assistant(message) => message.user_message_uuid.as_deref(),
            Self::StreamEvent(message) => message.user_message_uuid.as_deref(),
            Self::Result(message) => message.user_message_uuid.as_deref(),
            Self::ConversationReset(message) => message.user_message_uuid.as_deref(),
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
            Self::ToolProgress(message) => message.parent_tool_use_id.as_deref(),
            _ => None,
        }
    }

    fn envelope(&self) -> &dyn Envelope {
        match self {
            Self::User(message) => &**message,
            Self::Assistant(message) => &**message,
            Self::System(message) => message.envelope(),
            Self::Result(message) => &**message,
            Self::StreamEvent(message) => &**message,
            Self::RateLimit(message) => &**message,
            Self::ConversationReset(message) => &**message,
            Self::ToolProgress(message) => &**message,
            Self::AuthStatus(message) => &**message,
            Self::ToolUseSummary(message) => &**message,
            Self::PromptSuggestion(message) => &**message,
            Self::ActiveGoal(message) => &**message,
            Self::Unknown(message) => &**message,
        }
    }
}
