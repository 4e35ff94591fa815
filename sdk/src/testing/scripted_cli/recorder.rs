//! What was said and done, for tests to look at.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::outline::{Side, outline};

/// What a [`ScriptedCli`](super::ScriptedCli) was told and has said, up to now; a clone shows the
/// same.
#[derive(Debug, Clone, Default)]
pub struct Recorder(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    args: Vec<String>,
    lines: Vec<(Side, Value)>,
    prompts: Vec<String>,
    contexts: Vec<String>,
    calls: Vec<PlayedCall>,
    turns_left: Option<usize>,
    has_ended: bool,
}

/// A tool call of the script, and what it came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlayedCall {
    /// The tool, as the script called it.
    pub name: String,
    /// What it was called with at last, after hooks and permissions; none if it was not called.
    pub input: Option<Value>,
    /// The text of the result.
    pub text: String,
    /// The content of the result, as the model is given it: a text, or blocks of the Messages API.
    pub content: Value,
    /// The result is an error: the tool's own, a denial, or that there is no such tool.
    pub is_error: bool,
}

impl Recorder {
    /// The arguments that the CLI was started with.
    pub fn args(&self) -> Vec<String> {
        self.seen().args.clone()
    }

    /// The prompts that turns were begun with, as text.
    pub fn prompts(&self) -> Vec<String> {
        self.seen().prompts.clone()
    }

    /// What hooks have told the model besides (`additionalContext`).
    pub fn contexts(&self) -> Vec<String> {
        self.seen().contexts.clone()
    }

    /// The tool calls, in the order in which they were done.
    pub fn calls(&self) -> Vec<PlayedCall> {
        self.seen().calls.clone()
    }

    /// Every message that the SDK has sent.
    pub fn sent(&self) -> Vec<Value> {
        self.of(Side::Sdk)
    }

    /// Every message that the CLI has said.
    pub fn said(&self) -> Vec<Value> {
        self.of(Side::Cli)
    }

    /// Both, a line each and in order, without ids and other things that only machines need.
    pub fn transcript(&self) -> String {
        outline(&self.seen().lines)
    }

    /// How many turns of the script have not been played; not known before the first one was.
    pub fn unplayed_turns(&self) -> Option<usize> {
        self.seen().turns_left
    }

    /// Whether the CLI has come to its end.
    pub fn has_ended(&self) -> bool {
        self.seen().has_ended
    }

    fn of(&self, side: Side) -> Vec<Value> {
        self.seen()
            .lines
            .iter()
            .filter(|(by, _)| *by == side)
            .map(|(_, line)| line.clone())
            .collect()
    }

    pub(super) fn started(&self, args: &[String]) {
        self.seen().args = args.to_vec();
    }

    pub(super) fn told(&self, line: &Value) {
        self.seen().lines.push((Side::Sdk, line.clone()));
    }

    pub(super) fn said_by_cli(&self, line: Value) {
        self.seen().lines.push((Side::Cli, line));
    }

    pub(super) fn prompt(&self, text: &str) {
        self.seen().prompts.push(text.to_owned());
    }

    pub(super) fn context(&self, text: String) {
        self.seen().contexts.push(text);
    }

    pub(super) fn call(&self, call: PlayedCall) {
        self.seen().calls.push(call);
    }

    pub(super) fn turns_left(&self, turns: usize) {
        self.seen().turns_left = Some(turns);
    }

    pub(super) fn ended(&self) {
        self.seen().has_ended = true;
    }

    /// How many handles of it there are.
    #[cfg(test)]
    pub(super) fn holders(&self) -> usize {
        Arc::strong_count(&self.0)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
