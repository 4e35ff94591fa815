use std::borrow::Cow;

use super::block::{self, ContentBlock};
use super::context_usage::ContextUsage;
use super::envelope::message;
use super::tool_use::ToolUseBlock;
use super::usage::Usage;
use super::usage_report::UsageReport;
use crate::agent::wire::{RawJson, record};

message! {
    /// An answer of the model, or a part of it. Each block comes in a message of its own; those of
    /// one answer share the `id` of their [`ApiMessage`].
    ///
    /// ```
    /// use toolwright::agent::Message;
    ///
    /// let line = r#"{"type":"assistant","message":{"content":[
    ///     {"type":"tool_use","id":"1","name":"Bash","input":{"command":"ls"}}]}}"#;
    /// let Message::Assistant(message) = Message::parse(line) else { unreachable!() };
    /// let call = message.tool_uses().next().unwrap();
    /// assert_eq!((&*call.name, call.input.to_value()["command"].as_str()), ("Bash", Some("ls")));
    /// ```
    pub struct AssistantMessage {
        /** The message itself. */ pub message: ApiMessage,
        /// The tool call whose subagent answers; none for the main conversation.
        pub parent_tool_use_id: Option<String>,
        /// The error that the message is about, such as `rate_limit` or `authentication_failed`.
        pub error: Option<String>,
        /** The API's id of the request. */ pub request_id: Option<String>,
        /// The user message that began the turn; of several, the last.
        pub user_message_uuid: Option<String>,
        /// The user messages that the turn has taken up so far.
        pub user_message_uuids: Vec<String>,
        /** Why the turn went on by itself. */ pub resume_reason: Option<String>,
        /// The answer continues thinking that was cut off.
        pub resumed_from_incomplete_thinking: bool,
        /** The messages that this one replaces. */ pub supersedes: Vec<String>,
        /** The answer was cut off. */ pub aborted: bool,
        /** The subagent that answers. */ pub agent_id: Option<String>,
        /** The kind of that subagent. */ pub subagent_type: Option<String>,
        /** The task of that subagent. */ pub task_description: Option<String>,
        /** Its time, in RFC 3339. */ pub timestamp: Option<String>,
        /** The use of the model's context. */ pub context_usage: Option<Box<ContextUsage>>,
        /** What the session has used so far. */ pub usage_report: Option<Box<UsageReport>>,
    }
}

record! {
    /// An answer of the Messages API, or a part of it.
    pub struct ApiMessage {
        /** The answer's id. */ pub id: String,
        /** The model. */ pub model: String,
        /** `assistant`. */ pub role: String,
        /** Its content. */ pub content: Vec<ContentBlock>,
        /// Why the model stopped, such as `end_turn` or `tool_use`; none while it has not.
        pub stop_reason: Option<String>,
        /** The text that made it stop. */ pub stop_sequence: Option<String>,
        /// The tokens used when the answer began, so hardly any received ones; the same in each
        /// message of the answer.
        pub usage: Usage,
        /** The code execution container, in the API's form. */ pub container: Option<RawJson>,
        /// What the API removed from the context, in its form.
        pub context_management: Option<RawJson>,
    }
}

impl AssistantMessage {
    /// Its text; empty if it has none.
    pub fn text(&self) -> Cow<'_, str> {
        block::text_of(&self.message.content)
    }

    /// The tools that it calls.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUseBlock> {
        self.message.content.iter().filter_map(|block| match block {
            ContentBlock::ToolUse(call) => Some(call),
            _ => None,
        })
    }
}
