//! Answers to control requests, without the ids of the requests.

use serde_json::{Value, json};

/// An answer: whether the request is done, and what it says.
pub(super) struct Answer(pub(super) Value);

impl Answer {
    /// It is done, and there is nothing to say.
    pub(super) fn done() -> Self {
        Self(json!({"subtype": "success"}))
    }

    pub(super) fn with(response: Value) -> Self {
        Self(json!({"subtype": "success", "response": response}))
    }

    pub(super) fn refusal(error: impl Into<String>) -> Self {
        Self(json!({"subtype": "error", "error": error.into()}))
    }

    /// A refusal with a code for programs.
    pub(super) fn coded_refusal(code: &str, error: impl Into<String>) -> Self {
        Self(json!({"subtype": "error", "error": error.into(), "error_code": code}))
    }
}

impl From<Result<Value, String>> for Answer {
    fn from(answer: Result<Value, String>) -> Self {
        answer.map_or_else(Self::refusal, Self::with)
    }
}
