//! The script.

use serde_json::Value;

/// One turn of the model, step by step; see [`ScriptedCli::turn`](super::ScriptedCli::turn).
///
/// What is said up to a call is one answer of the Messages API with several blocks; what comes
/// after a call is the next one.
#[must_use = "the turn is what the closure gives back"]
#[derive(Debug, Clone, Default)]
pub struct Turn {
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Say(String),
    Think(String),
    SayResult,
    /// Calls of one answer.
    Call(Vec<(String, Value)>),
    Fail(String),
    UntilInterrupted,
}

impl Turn {
    /// Says a text.
    pub fn say(self, text: impl Into<String>) -> Self {
        self.and(Step::Say(text.into()))
    }

    /// Says the text of the last tool result, errors included.
    pub fn say_result(self) -> Self {
        self.and(Step::SayResult)
    }

    /// Thinks aloud.
    pub fn think(self, text: impl Into<String>) -> Self {
        self.and(Step::Think(text.into()))
    }

    /// Calls a tool and waits for what it answers. A tool of an MCP server is called
    /// `mcp__SERVER__TOOL`.
    pub fn call(self, name: impl Into<String>, input: Value) -> Self {
        self.call_all([(name, input)])
    }

    /// Calls several tools in one answer: read-only ones that follow each other run at the same
    /// time, all others one after the other.
    pub fn call_all<N: Into<String>>(self, calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        self.and(Step::Call(calls.into_iter().map(|(name, input)| (name.into(), input)).collect()))
    }

    /// The Messages API fails, which ends the turn: its result is an error with this text, such as
    /// `API Error: 529 overloaded`.
    pub fn fail(self, text: impl Into<String>) -> Self {
        self.and(Step::Fail(text.into()))
    }

    /// Goes on without an end, until it is interrupted or the CLI's input ends.
    pub fn until_interrupted(self) -> Self {
        self.and(Step::UntilInterrupted)
    }

    fn and(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}
