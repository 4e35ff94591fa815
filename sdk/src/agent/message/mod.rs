//! What the CLI says, typed.
//!
//! ```
//! use toolwright::agent::Message;
//! use toolwright::agent::message::ContentBlock;
//!
//! fn print(message: &Message) {
//!     match message {
//!         Message::Assistant(message) => {
//!             for block in &message.message.content {
//!                 match block {
//!                     ContentBlock::Text(block) => println!("{}", block.text),
//!                     ContentBlock::ToolUse(call) => println!("calls {}", call.name),
//!                     _ => {}
//!                 }
//!             }
//!         }
//!         Message::Result(result) => println!("{} turns", result.num_turns),
//!         _ => {}
//!     }
//! }
//! # print(&Message::parse(r#"{"type":"result","num_turns":1}"#));
//! ```
//!
//! Nothing that the CLI sends is lost and nothing makes reading fail: a message keeps the text it
//! came in, a member of the wrong type reads as its default, and what this version does not know is
//! delivered whole.

mod assistant;
mod block;
mod catalog;
mod context_usage;
mod cut;
mod envelope;
mod mcp_server;
mod media;
#[expect(clippy::module_inception, reason = "the folder is named for its main type")]
mod message;
mod notice;
mod output;
mod peek;
mod prices;
mod rate_limit;
mod result;
mod stream;
mod summary;
pub mod system;
mod text;
mod tool_progress;
mod tool_use;
mod usage;
mod usage_report;
mod user;

pub use super::wire::RawJson;
pub use assistant::{ApiMessage, AssistantMessage};
pub use block::{ContentBlock, MessageContent, ToolResultBlock};
pub use catalog::{AccountInfo, AgentInfo, ModelInfo};
pub use context_usage::{
    ContextAgent, ContextCategory, ContextMcpTool, ContextMemoryFile, ContextSkill, ContextUsage,
    OverLimit,
};
pub(crate) use cut::cut_result;
pub use mcp_server::McpServerStatus;
pub use media::{ContainerUploadBlock, DocumentBlock, ImageBlock, MediaSource};
pub use message::Message;
pub use notice::{
    ActiveGoal, ActiveGoalMessage, AuthStatusMessage, CommandLifecycleMessage, CommandState,
    ConversationResetMessage, PromptSuggestionMessage, ToolUseSummaryMessage, UnknownMessage,
};
pub use output::OutputError;
pub(crate) use peek::{ControlKind, Peek, is_part_of_an_answer, peek, peek_head};
pub use prices::{Prices, Rates};
pub use rate_limit::{RateLimitInfo, RateLimitMessage};
pub(super) use result::kind_of_error;
pub use result::{DeferredToolUse, InvalidConfigFile, PermissionDenial, ResultMessage};
pub use stream::{
    ApiError, ApiEvent, CitationsDelta, ContentBlockDelta, ContentBlockStart, ContentBlockStop,
    Delta, ErrorEvent, InputJsonDelta, MessageChange, MessageDelta, MessageStart, SignatureDelta,
    StreamEvent, TextDelta, ThinkingDelta,
};
pub use summary::RunSummary;
pub use system::SystemMessage;
pub use text::{RedactedThinkingBlock, SearchResultBlock, TextBlock, ThinkingBlock};
pub use tool_progress::{SubagentRetry, ToolProgressMessage};
pub use tool_use::{McpToolUseBlock, ServerToolResultBlock, ServerToolUseBlock, ToolUseBlock};
pub use usage::{CacheCreation, ModelUsage, OutputTokens, ServerToolUsage, Usage};
pub use usage_report::{
    DisplayName, ExtraUsage, LimitScope, SessionUsage, UsageLimit, UsageLimits, UsageReport,
};
pub use user::{MessageOrigin, MessageParam, UserMessage};

#[cfg(test)]
mod tests;
