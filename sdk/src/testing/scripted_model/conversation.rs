//! Tells the requests of the main conversation from others.
//!
//! As recorded from Claude Code 2.1.328 in print mode, with and without tools, MCP servers, a
//! system prompt, thinking and structured output. With `CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1`
//! an ordinary run sends no other requests; without it, only `HEAD /api/hello` is added. The model
//! name does not help: side requests use the model of the conversation.
//!
//! | request | `context_management`, `thinking` | `tools` | other marks |
//! |---|---|---|---|
//! | main conversation | both | the client's, none with `--tools ""` | `system` follows `user` |
//! | subagent | both | the client's tools | header `x-claude-code-agent-id` |
//! | title of the session | neither | none | `output_config.format` |
//! | web search | neither | one server tool, which has a `type` | `tool_choice` |
//! | check of a model's name | neither | none | `max_tokens` is 1 |
//! | next prompt, side question, `/compact` | both | the conversation's | the last user text |
//!
//! Without tools a request of the main conversation has neither if its thinking is off, its model
//! is an old one, or experimental betas are disabled. Then the header `anthropic-beta` tells, which
//! names a beta of Claude Code, and that it has no mark of another request.
//!
//! The requests of the last row repeat the whole conversation and add one user message, which is
//! recognised by its first words.

use axum::http::HeaderMap;
use serde_json::Value;

use super::request::RecordedRequest;

const AGENT_HEADER: &str = "x-claude-code-agent-id";
const BETA_HEADER: &str = "anthropic-beta";
/// How the names of Claude Code's own betas begin.
const OWN_BETA: &str = "claude-code-";

const FORK_OPENINGS: [&str; 3] = [
    "[SUGGESTION MODE:",
    "<system-reminder>This is a side question from the user.",
    "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.",
];

/// The sender of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The main conversation, which takes a turn of the script.
    Main,
    /// A subagent.
    Agent,
    /// Any other request of the program.
    Aside,
}

pub(super) fn part(headers: &HeaderMap, request: &RecordedRequest) -> Part {
    match converses(headers, request.body()) && !is_fork(request) {
        true if headers.contains_key(AGENT_HEADER) => Part::Agent,
        true => Part::Main,
        false => Part::Aside,
    }
}

fn converses(headers: &HeaderMap, body: &Value) -> bool {
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has_client_tool = tools.iter().any(|tool| tool["input_schema"].is_object());
    let mut betas = headers.get_all(BETA_HEADER).iter().filter_map(|beta| beta.to_str().ok());
    let is_of_program = tools.is_empty() && betas.any(|names| names.contains(OWN_BETA));
    let is_marked = body["max_tokens"] == 1 || !body["output_config"]["format"].is_null();
    let is_bare = is_of_program && !is_marked;
    has_client_tool || is_bare || !body["context_management"].is_null()
}

fn is_fork(request: &RecordedRequest) -> bool {
    let texts = request.user_texts();
    texts.iter().any(|text| FORK_OPENINGS.iter().any(|opening| text.starts_with(opening)))
}
