//! Messages of a language model that the client calls for a tool.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Role;

/// One message of a conversation with the client's model.
///
/// ```
/// use toolwright::mcp::SamplingMessage;
///
/// let conversation = [
///     SamplingMessage::user("What is the capital of France?"),
///     SamplingMessage::assistant("Paris."),
///     SamplingMessage::user("And of Spain?"),
/// ];
/// # assert_eq!(conversation[1].content.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Who says it.
    pub role: Role,
    /// What it says. A message has one block, except those with calls of tools and their results.
    #[serde(serialize_with = "one_or_many")]
    pub content: Vec<SamplingContent>,
}

/// One block of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SamplingContent {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Its bytes as base64.
        data: String,
        /// Its media type.
        mime_type: String,
    },
    /// Sound.
    #[serde(rename_all = "camelCase")]
    Audio {
        /// Its bytes as base64.
        data: String,
        /// Its media type.
        mime_type: String,
    },
    /// The model calls a tool.
    ToolUse {
        /// Identifies the call.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
    },
    /// The result of a tool.
    #[serde(rename_all = "camelCase")]
    ToolResult {
        /// The call.
        tool_use_id: String,
        /// The content blocks of the result.
        content: Vec<Value>,
        /// The tool has failed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

/// The answer of the client's model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampled {
    /// What it says.
    #[serde(deserialize_with = "blocks")]
    pub content: Vec<SamplingContent>,
    /// The model that has answered, by the client's name for it.
    pub model: String,
    /// Why it has stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or another word.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl SamplingMessage {
    /// A message of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, content: vec![SamplingContent::Text { text: text.into() }] }
    }

    /// A message of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: vec![SamplingContent::Text { text: text.into() }] }
    }

    pub(crate) fn of(role: Role, content: Vec<SamplingContent>) -> Self {
        Self { role, content }
    }
}

impl Sampled {
    /// The text of the answer: its text blocks, joined.
    #[inline]
    pub fn text(&self) -> String {
        let text = |block: &SamplingContent| match block {
            SamplingContent::Text { text } => Some(text.clone()),
            _ => None,
        };
        self.content.iter().filter_map(text).collect()
    }
}

/// Revisions before 2025-11-25 know only one block.
fn one_or_many<S: serde::Serializer>(
    content: &[SamplingContent],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match content {
        [one] => one.serialize(serializer),
        many => many.serialize(serializer),
    }
}

/// Clients write one block alone or in an array, whatever the revision.
fn blocks<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SamplingContent>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Blocks {
        Many(Vec<SamplingContent>),
        One(SamplingContent),
    }
    Ok(match Blocks::deserialize(deserializer)? {
        Blocks::Many(many) => many,
        Blocks::One(one) => vec![one],
    })
}
