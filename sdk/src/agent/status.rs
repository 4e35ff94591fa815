//! Answers to control requests. Unknown members are kept in `other`, missing ones read as nothing.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The receipt of an interrupt.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Interrupted {
    /// The uuids of user messages that stay in the queue.
    pub still_queued: Vec<String>,
    /// The uuids of user messages that were taken out of it.
    pub cancelled: Vec<String>,
}

/// One MCP server as the CLI sees it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct McpServerStatus {
    /// Its name.
    pub name: String,
    /// `connected`, `failed`, `needs-auth`, `pending` or `disabled`.
    pub status: String,
    /// Why it failed.
    pub error: Option<String>,
    /// What else is said of it: `serverInfo`, `config`, `tools`, …
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What a rewind did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Rewound {
    /// Whether it can be done at all.
    pub can_rewind: bool,
    /// Why not.
    pub error: Option<String>,
    /// The files concerned.
    pub files_changed: Vec<String>,
    /// Lines that come back.
    pub insertions: u64,
    /// Lines that go.
    pub deletions: u64,
}

/// What the context window is filled with.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ContextUsage {
    /// Tokens in use.
    pub total_tokens: u64,
    /// Tokens that fit.
    pub max_tokens: u64,
    /// The share in use, in percent.
    pub percentage: f64,
    /// The model.
    pub model: String,
    /// What else is said of it: `categories`, `mcpTools`, `memoryFiles`, …
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The CLI's answer to `initialize`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The slash commands there are.
    pub commands: Vec<Value>,
    /// The agents there are.
    pub agents: Vec<Value>,
    /// The models there are.
    pub models: Vec<Value>,
    /// The account.
    pub account: Value,
    /// The CLI's version.
    pub claude_code_version: Option<String>,
    /// Whether the CLI honours `onFailure` of hooks.
    pub hook_on_failure_supported: Option<bool>,
    /// Whether the hooks were taken.
    pub hooks_applied: Option<bool>,
    /// What else it says.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}
