use std::borrow::Cow;

use super::media::{ContainerUploadBlock, DocumentBlock, ImageBlock};
use super::text::{RedactedThinkingBlock, SearchResultBlock, TextBlock, ThinkingBlock};
use super::tool_use::{McpToolUseBlock, ServerToolResultBlock, ServerToolUseBlock, ToolUseBlock};
use crate::agent::wire::{Cursor, Field, RawJson, record, tagged};

tagged! {
    /// A part of a message: text, thinking, a tool call and so on.
    ///
    /// ```
    /// use toolwright::agent::message::ContentBlock;
    ///
    /// fn print(blocks: &[ContentBlock]) {
    ///     for block in blocks {
    ///         match block {
    ///             ContentBlock::Text(block) => println!("{}", block.text),
    ///             ContentBlock::ToolUse(call) => println!("{} {}", call.name, call.input),
    ///             ContentBlock::Unknown(block) => println!("{block}"),
    ///             _ => {}
    ///         }
    ///     }
    /// }
    /// # print(&[]);
    /// ```
    pub enum ContentBlock {
        /// Text.
        "text" => Text(TextBlock),
        /// The model's thinking.
        "thinking" => Thinking(ThinkingBlock),
        /// Thinking that is not shown.
        "redacted_thinking" => RedactedThinking(RedactedThinkingBlock),
        /// The model calls a tool.
        "tool_use" => ToolUse(ToolUseBlock),
        /// The result of a tool call.
        "tool_result" => ToolResult(ToolResultBlock),
        /// The model calls a tool that the API runs.
        "server_tool_use" => ServerToolUse(ServerToolUseBlock),
        /// The result of such a call.
        "web_search_tool_result" | "web_fetch_tool_result" | "code_execution_tool_result"
            | "bash_code_execution_tool_result" | "text_editor_code_execution_tool_result"
            | "tool_search_tool_result" | "advisor_tool_result"
            => ServerToolResult(ServerToolResultBlock),
        /// The model calls a tool of an MCP server that the API talks to.
        "mcp_tool_use" => McpToolUse(McpToolUseBlock),
        /// The result of such a call.
        "mcp_tool_result" => McpToolResult(ToolResultBlock),
        /// An image.
        "image" => Image(ImageBlock),
        /// A document.
        "document" => Document(Box<DocumentBlock>),
        /// A file for the code execution container.
        "container_upload" => ContainerUpload(ContainerUploadBlock),
        /// A passage that can be cited.
        "search_result" => SearchResult(Box<SearchResultBlock>),
    }
}

record! {
    /// The result of a tool call.
    pub struct ToolResultBlock {
        /** The call's id. */ pub tool_use_id: String,
        /** The content; empty where there is none. */ pub content: MessageContent => of_a_result,
        /** The call failed. */ pub is_error: bool,
    }
}

/// The content of a user message or of a tool's result: a text, or blocks.
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

    /// The text, or that of all text blocks together.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::Blocks(blocks) => text_of(blocks),
        }
    }
}

impl Default for MessageContent {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

impl Field for MessageContent {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        match json.byte()? {
            b'"' => String::read(json).map(Self::Text),
            _ => Vec::read(json).map(Self::Blocks),
        }
    }
}

/// Reads the content of a tool's result. A result within a result has no meaning and stays raw, so
/// that no text makes the reader go deeper.
fn of_a_result(json: &mut Cursor<'_>) -> Option<MessageContent> {
    match json.byte()? {
        b'"' => String::read(json).map(MessageContent::Text),
        _ => Vec::read(json).map(|blocks: Vec<Inner>| {
            MessageContent::Blocks(blocks.into_iter().map(|inner| inner.0).collect())
        }),
    }
}

struct Inner(ContentBlock);

impl Field for Inner {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        match json.tag().as_deref() {
            Some("tool_result" | "mcp_tool_result") => {
                RawJson::read(json).map(ContentBlock::Unknown)
            }
            _ => ContentBlock::read(json),
        }
        .map(Self)
    }
}

/// The text of all text blocks together; that of a single one is not copied.
pub(super) fn text_of(blocks: &[ContentBlock]) -> Cow<'_, str> {
    let mut texts = blocks.iter().filter_map(|block| match block {
        ContentBlock::Text(block) => Some(block.text.as_str()),
        _ => None,
    });
    match (texts.next(), texts.next()) {
        (first, None) => first.unwrap_or_default().into(),
        (first, second) => first.into_iter().chain(second).chain(texts).collect::<String>().into(),
    }
}
