//! A prompt that waits for its turn.

use serde_json::Value;

use super::json::{str, text};

/// A prompt that waits.
#[derive(Clone)]
pub(super) struct Prompt {
    message: Value,
    /// It was reported as queued.
    pub(super) is_announced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Priority {
    Now,
    Next,
    Later,
}

impl Prompt {
    pub(super) fn new(message: Value) -> Self {
        Self { message, is_announced: false }
    }

    /// As the SDK has sent it.
    pub(super) fn message(&self) -> &Value {
        &self.message
    }

    pub(super) fn uuid(&self) -> &str {
        str(&self.message["uuid"])
    }

    pub(super) fn text(&self) -> String {
        text(&self.message["message"]["content"])
    }

    /// Whether it is whitespace alone. The real CLI takes the empty text and blocks as they are.
    pub(super) fn is_blank(&self) -> bool {
        let text = self.message["message"]["content"].as_str();
        text.is_some_and(|text| !text.is_empty() && text.trim().is_empty())
    }

    pub(super) fn priority(&self) -> Priority {
        match self.message["priority"].as_str() {
            Some("now") => Priority::Now,
            Some("later") => Priority::Later,
            _ => Priority::Next,
        }
    }
}
