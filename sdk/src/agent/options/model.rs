//! The options of the model.

use serde_json::Value;

use super::thinking::{Effort, Thinking, ThinkingDisplay};

/// The model, its thinking and its limits.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModelOptions {
    pub(crate) model: Option<String>,
    pub(crate) fallback_model: Option<String>,
    /// The agent that runs the main conversation.
    pub(crate) agent: Option<String>,
    pub(crate) betas: Vec<String>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) thinking_display: Option<ThinkingDisplay>,
    pub(crate) max_thinking_tokens: Option<u32>,
    pub(crate) effort: Option<Effort>,
    pub(crate) max_turns: Option<u32>,
    pub(crate) max_budget_usd: Option<f64>,
    pub(crate) task_budget: Option<u64>,
    pub(crate) json_schema: Option<Value>,
}
