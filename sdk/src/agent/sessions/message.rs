use serde::Serialize;

use super::subagent::Parent;
use crate::agent::message::Message;
use crate::agent::wire::RawJson;
use crate::scan;

/// A message of a session that is stored.
///
/// Serialised, it is a message as the CLI writes it, unless the CLI itself says it;
/// [`to_message`](Self::to_message) reads it as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionMessage {
    /// Who says it.
    #[serde(rename = "type")]
    pub role: SessionRole,
    /// Its id, a UUID.
    pub uuid: String,
    /// The session that it was written in.
    pub session_id: String,
    /// The message in the form of the API: `role`, `content` and so on. Of a message of the CLI
    /// itself, all that is stored: `subtype`, as a rule `content` and `level`, or the
    /// `compactMetadata` of a compaction.
    pub message: RawJson,
    /// The tool use in the session that started the subagent; `None` in the main conversation.
    pub parent_tool_use_id: Option<String>,
    /// The subagent that started this subagent; `None` if the main conversation did.
    pub parent_agent_id: Option<String>,
}

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SessionRole {
    /// The user, or a tool that gives its result.
    User,
    /// The model.
    Assistant,
    /// The CLI itself: that there was a compaction, that a hook said something, and so on. Only
    /// [`with_system_messages`](super::Sessions::with_system_messages).
    System,
}

impl SessionMessage {
    /// From a line of a transcript that is a message.
    pub(super) fn of_line(line: &str, parent: &Parent) -> Self {
        let text = |name| scan::text(line, name).unwrap_or_default();
        let role = match &*text("type") {
            "assistant" => SessionRole::Assistant,
            "system" => SessionRole::System,
            _ => SessionRole::User,
        };
        let message = match role {
            SessionRole::System => line.trim(),
            _ => scan::member(line, "message").unwrap_or("null"),
        };
        Self {
            role,
            uuid: text("uuid").into(),
            session_id: text("sessionId").into(),
            message: RawJson::of_text(message),
            parent_tool_use_id: parent.tool_use_id.clone(),
            parent_agent_id: parent.agent_id.clone(),
        }
    }

    /// The message as a run delivers it: [`Message::User`], [`Message::Assistant`] or
    /// [`Message::System`]. The latter lacks what a transcript names otherwise, such as the details
    /// of a compaction.
    pub fn to_message(&self) -> Message {
        let system = match self.role {
            SessionRole::System => self.message.get().strip_prefix('{'),
            _ => None,
        };
        match system {
            Some(rest) => {
                let id = serde_json::Value::from(&*self.session_id);
                Message::parse(format!("{{\"session_id\":{id},{rest}"))
            }
            // Nothing in it can fail to be written.
            None => Message::parse(serde_json::to_string(self).unwrap_or_default()),
        }
    }
}
