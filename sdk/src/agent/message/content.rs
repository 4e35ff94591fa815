use std::borrow::Cow;

use super::block::{self, ContentBlock};
use super::field::{Field, Taken};
use super::raw::RawJson;

/// What a user message or a tool's result says: a text, or blocks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MessageContent {
    /// A text.
    Text(String),
    /// Blocks.
    Blocks(Vec<ContentBlock>),
}

impl MessageContent {
    /// The blocks; none if it is a text.
    pub fn blocks(&self) -> &[ContentBlock] {
        match self {
            Self::Text(_) => &[],
            Self::Blocks(blocks) => blocks,
        }
    }

    /// The text, or the text blocks one after the other.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::Blocks(blocks) => block::text_of(blocks),
        }
    }
}

impl Default for MessageContent {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

impl Field for MessageContent {
    fn read(raw: &str) -> Option<Self> {
        match raw.starts_with('"') {
            true => String::read(raw).map(Self::Text),
            false => Vec::read(raw).map(Self::Blocks),
        }
    }

    fn take(text: &str) -> Option<Taken<Self>> {
        match text.starts_with('"') {
            true => String::take(text).map(|(text, length)| (text.map(Self::Text), length)),
            false => Vec::take(text).map(|(blocks, length)| (blocks.map(Self::Blocks), length)),
        }
    }
}

/// Reads the content of a tool's result. A result within a result has no meaning and stays raw: so
/// reading goes no deeper, whatever is sent.
pub(super) fn of_a_result(raw: &str) -> Option<MessageContent> {
    match raw.starts_with('"') {
        true => String::read(raw).map(MessageContent::Text),
        false => Vec::read(raw).map(|blocks: Vec<Inner>| {
            MessageContent::Blocks(blocks.into_iter().map(|inner| inner.0).collect())
        }),
    }
}

struct Inner(ContentBlock);

impl Field for Inner {
    fn read(raw: &str) -> Option<Self> {
        match super::tagged::tag(raw, "type").as_deref() {
            Some("tool_result" | "mcp_tool_result") => {
                RawJson::read(raw).map(ContentBlock::Unknown)
            }
            _ => ContentBlock::read(raw),
        }
        .map(Self)
    }
}
