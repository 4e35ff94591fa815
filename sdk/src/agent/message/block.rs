use std::borrow::Cow;

use super::content::{self, MessageContent};
use super::raw::RawJson;
use super::record::record;
use super::tagged::tagged;

tagged! {
    /// One part of what a message says.
    pub enum ContentBlock {
        /// Text.
        "text" => Text(TextBlock),
        /// The model's thinking.
        "thinking" => Thinking(ThinkingBlock),
        /// Thinking that is not shown.
        "redacted_thinking" => RedactedThinking(RedactedThinkingBlock),
        /// The model calls a tool.
        "tool_use" => ToolUse(ToolUseBlock),
        /// What a tool answered.
        "tool_result" => ToolResult(ToolResultBlock),
        /// The model calls a tool that the API runs.
        "server_tool_use" => ServerToolUse(ServerToolUseBlock),
        /// What a tool answered that the API ran.
        "web_search_tool_result" | "web_fetch_tool_result" | "code_execution_tool_result" | "bash_code_execution_tool_result"
            | "text_editor_code_execution_tool_result" | "tool_search_tool_result" | "advisor_tool_result"
            => ServerToolResult(ServerToolResultBlock),
        /// The model calls a tool of an MCP server that the API talks to.
        "mcp_tool_use" => McpToolUse(McpToolUseBlock),
        /// What such a tool answered.
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
    /// Text.
    pub struct TextBlock {
        /// The text.
        pub text: String,
        /// What it is based on, in the API's form.
        pub citations: Option<RawJson>,
    }
}

record! {
    /// The model's thinking.
    pub struct ThinkingBlock {
        /// The thinking; empty where it is not shown.
        pub thinking: String,
        /// The API's proof that it is the model's own.
        pub signature: String,
    }
}

record! {
    /// Thinking that is not shown.
    pub struct RedactedThinkingBlock {
        /// The encrypted thinking.
        pub data: String,
    }
}

record! {
    /// The model calls a tool.
    pub struct ToolUseBlock {
        /// The call's id, which its result names.
        pub id: String,
        /// The tool, such as `Bash` or `mcp__calc__add`.
        pub name: String,
        /// The arguments, an object.
        pub input: RawJson,
        /// Who called it, in the API's form, where it was not the model directly.
        pub caller: Option<RawJson>,
    }
}

record! {
    /// What a tool answered.
    pub struct ToolResultBlock {
        /// The call's id.
        pub tool_use_id: String,
        /// The answer; empty where there is none.
        pub content: MessageContent => content::of_a_result,
        /// The call failed.
        pub is_error: bool,
    }
}

record! {
    /// The model calls a tool that the API runs.
    pub struct ServerToolUseBlock {
        /// The call's id, which its result names.
        pub id: String,
        /// The tool, such as `web_search`.
        pub name: String,
        /// The arguments, an object.
        pub input: RawJson,
    }
}

record! {
    /// What a tool answered that the API ran.
    pub struct ServerToolResultBlock {
        /// Which tool's result it is, such as `web_search_tool_result`.
        pub r#type: String = "type",
        /// The call's id.
        pub tool_use_id: String,
        /// The answer, in the API's form.
        pub content: RawJson,
    }
}

record! {
    /// The model calls a tool of an MCP server that the API talks to.
    pub struct McpToolUseBlock {
        /// The call's id, which its result names.
        pub id: String,
        /// The tool.
        pub name: String,
        /// Its server.
        pub server_name: String,
        /// The arguments, an object.
        pub input: RawJson,
    }
}

record! {
    /// An image.
    pub struct ImageBlock {
        /// The image itself.
        pub source: MediaSource,
    }
}

record! {
    /// A document.
    pub struct DocumentBlock {
        /// The document itself.
        pub source: MediaSource,
        /// Its title.
        pub title: Option<String>,
        /// What the model should know about it.
        pub context: Option<String>,
        /// Whether it may be cited, in the API's form.
        pub citations: Option<RawJson>,
    }
}

record! {
    /// Where an image or a document is.
    pub struct MediaSource {
        /// `base64`, `text`, `url`, `file` or `content`.
        pub r#type: String = "type",
        /// The media type, such as `image/png`.
        pub media_type: Option<String>,
        /// The bytes in base64, or the text.
        pub data: Option<String>,
        /// Its address.
        pub url: Option<String>,
        /// The id under which it was uploaded.
        pub file_id: Option<String>,
        /// A document of blocks, in the API's form.
        pub content: Option<RawJson>,
    }
}

record! {
    /// A file for the code execution container.
    pub struct ContainerUploadBlock {
        /// The id under which it was uploaded.
        pub file_id: String,
    }
}

record! {
    /// A passage that can be cited.
    pub struct SearchResultBlock {
        /// Where it is from.
        pub source: String,
        /// Its title.
        pub title: String,
        /// The passage.
        pub content: Vec<TextBlock>,
        /// Whether it may be cited, in the API's form.
        pub citations: Option<RawJson>,
    }
}

/// The text blocks one after the other; one alone is not copied.
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
