//! Messages of a language model that the client calls for a tool.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Audio, Image, Profile, Role, write_json};

/// One message of a conversation with the client's model.
///
/// ```
/// use toolwright::Image;
/// use toolwright::mcp::SamplingMessage;
///
/// let conversation = [
///     SamplingMessage::user("What is the capital of France?"),
///     SamplingMessage::assistant("Paris."),
///     SamplingMessage::user("And what does this show?").with(Image::png(b"...")),
/// ];
/// # assert_eq!(conversation[1].content.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Who says it.
    pub role: Role,
    /// What it says. Clients of revisions before 2025-11-25 get a message for each block.
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
        /// `_meta`.
        #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
        #[serde(deserialize_with = "object")]
        meta: Map<String, Value>,
    },
    /// A picture.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Its bytes as base64.
        data: String,
        /// Its media type.
        mime_type: String,
        /// `_meta`.
        #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
        #[serde(deserialize_with = "object")]
        meta: Map<String, Value>,
    },
    /// Sound.
    #[serde(rename_all = "camelCase")]
    Audio {
        /// Its bytes as base64.
        data: String,
        /// Its media type.
        mime_type: String,
        /// `_meta`.
        #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
        #[serde(deserialize_with = "object")]
        meta: Map<String, Value>,
    },
    /// The model calls a tool.
    ToolUse {
        /// Identifies the call.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
        /// `_meta`.
        #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
        #[serde(deserialize_with = "object")]
        meta: Map<String, Value>,
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
        /// `_meta`.
        #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
        #[serde(deserialize_with = "object")]
        meta: Map<String, Value>,
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
    pub fn user(content: impl Into<SamplingContent>) -> Self {
        Self::of(Role::User, vec![content.into()])
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<SamplingContent>) -> Self {
        Self::of(Role::Assistant, vec![content.into()])
    }

    /// Adds a block.
    pub fn with(mut self, content: impl Into<SamplingContent>) -> Self {
        self.content.push(content.into());
        self
    }

    pub(crate) fn of(role: Role, content: Vec<SamplingContent>) -> Self {
        Self { role, content }
    }
}

impl SamplingContent {
    /// The bytes of a picture or of sound, decoded; `None` for another block, and for what is not
    /// base64.
    #[inline]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Image { data, .. } | Self::Audio { data, .. } => STANDARD.decode(data).ok(),
            _ => None,
        }
    }

    /// True if messages of a revision can have it.
    #[inline]
    pub(crate) fn is_in(&self, profile: &Profile) -> bool {
        match self {
            Self::Text { .. } | Self::Image { .. } => true,
            Self::Audio { .. } => profile.has_audio,
            Self::ToolUse { .. } | Self::ToolResult { .. } => profile.has_sampling_tools,
        }
    }

    /// What a revision has of it.
    #[inline]
    fn within(&self, profile: &Profile) -> Self {
        let mut block = self.clone();
        let (Self::Text { meta, .. }
        | Self::Image { meta, .. }
        | Self::Audio { meta, .. }
        | Self::ToolUse { meta, .. }
        | Self::ToolResult { meta, .. }) = &mut block;
        if !profile.has_meta {
            meta.clear();
        }
        block
    }
}

impl From<String> for SamplingContent {
    #[inline]
    fn from(text: String) -> Self {
        Self::Text { text, meta: Map::new() }
    }
}

impl From<&str> for SamplingContent {
    #[inline]
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for SamplingContent {
    #[inline]
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Image> for SamplingContent {
    #[inline]
    fn from(Image { data, mime_type, meta, .. }: Image) -> Self {
        Self::Image { data, mime_type, meta }
    }
}

impl From<Audio> for SamplingContent {
    #[inline]
    fn from(Audio { data, mime_type, meta, .. }: Audio) -> Self {
        Self::Audio { data, mime_type, meta }
    }
}

impl Sampled {
    /// The text of the answer: its text blocks, joined.
    #[inline]
    pub fn text(&self) -> String {
        let text = |block: &SamplingContent| match block {
            SamplingContent::Text { text, .. } => Some(text.clone()),
            _ => None,
        };
        self.content.iter().filter_map(text).collect()
    }
}

/// Writes messages in the form of a revision. Those without calls of tools have one block each.
#[inline]
pub(crate) fn write_messages(out: &mut Vec<u8>, messages: &[SamplingMessage], profile: &Profile) {
    if profile.has_sampling_tools {
        return write_json(out, messages);
    }
    let mut older = Vec::with_capacity(messages.len());
    for SamplingMessage { role, content } in messages {
        for block in content {
            older.push(SamplingMessage::of(*role, vec![block.within(profile)]));
        }
    }
    write_json(out, &older);
}

/// One block is written as all clients know it.
fn one_or_many<S: serde::Serializer>(
    content: &[SamplingContent],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match content {
        [one] => one.serialize(serializer),
        many => many.serialize(serializer),
    }
}

/// Some clients write null for an absent `_meta`.
fn object<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Map<String, Value>, D::Error> {
    Ok(match Value::deserialize(value)? {
        Value::Object(members) => members,
        _ => Map::new(),
    })
}

/// Clients write one block alone or in an array, whatever the revision.
fn blocks<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SamplingContent>, D::Error> {
    // An untagged enum would not say what is wrong with a block.
    let blocks = match Value::deserialize(deserializer)? {
        many @ Value::Array(_) => serde_json::from_value(many),
        one => serde_json::from_value(one).map(|one| vec![one]),
    };
    blocks.map_err(serde::de::Error::custom)
}
