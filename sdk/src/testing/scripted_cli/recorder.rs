//! A record of what the CLI received and sent.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::json::text;
use super::outline::{Side, outline};
use super::turn_state::OpenCall;

/// Records what a [`ScriptedCli`](super::ScriptedCli) has received and sent so far. A clone shows
/// the same record.
#[derive(Debug, Clone, Default)]
pub struct Recorder(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    args: Vec<String>,
    lines: Vec<(Side, Value)>,
    prompts: Vec<String>,
    contexts: Vec<String>,
    calls: Vec<PlayedCall>,
    /// The tools of all calls, of those without a result, too.
    called: BTreeSet<String>,
    turns_left: Option<usize>,
    agent_turns_left: usize,
    has_ended: bool,
    difference: Option<String>,
}

/// A tool call of the script with its result.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlayedCall {
    /// The name of the tool in the script.
    pub name: String,
    /// The input after hooks and permissions; `None` if the tool was not called.
    pub input: Option<Value>,
    /// The text of the result.
    pub text: String,
    /// The content of the result as the model receives it: a text, or blocks of the Messages API.
    pub content: Value,
    /// Whether the result is an error: the tool's own, a denial, an interrupt, or an unknown tool.
    pub is_error: bool,
}

impl Recorder {
    /// The arguments that the CLI was started with.
    pub fn args(&self) -> Vec<String> {
        self.seen().args.clone()
    }

    /// The texts of the prompts that turns have taken up.
    pub fn prompts(&self) -> Vec<String> {
        self.seen().prompts.clone()
    }

    /// The `additionalContext` that hooks have added.
    pub fn contexts(&self) -> Vec<String> {
        self.seen().contexts.clone()
    }

    /// The tool calls, in the order of their results.
    pub fn calls(&self) -> Vec<PlayedCall> {
        self.seen().calls.clone()
    }

    /// All messages of the SDK.
    pub fn sent(&self) -> Vec<Value> {
        self.of(Side::Sdk)
    }

    /// All messages of the CLI.
    pub fn said(&self) -> Vec<Value> {
        self.of(Side::Cli)
    }

    /// The messages of both sides in order, one a line, without ids and other details, and
    /// without the news of prompts and of thinking.
    pub fn transcript(&self) -> String {
        outline(&self.seen().lines)
    }

    /// The number of turns that have not begun, those of subagents among them; `None` before the
    /// first prompt.
    pub fn unplayed_turns(&self) -> Option<usize> {
        let seen = self.seen();
        Some(seen.turns_left? + seen.agent_turns_left)
    }

    /// Whether the CLI has exited.
    pub fn has_ended(&self) -> bool {
        self.seen().has_ended
    }

    /// Where the run first differs from the recording that is
    /// [replayed](super::ScriptedCli::replay).
    pub fn difference(&self) -> Option<String> {
        self.seen().difference.clone()
    }

    fn of(&self, side: Side) -> Vec<Value> {
        let seen = self.seen();
        seen.lines.iter().filter(|(by, _)| *by == side).map(|(_, line)| line.clone()).collect()
    }

    /// Prompts and answers of the main conversation, as the CLI shows them.
    pub(super) fn conversation(&self) -> String {
        let seen = self.seen();
        let said = seen.lines.iter().filter_map(|(side, line)| {
            let mark = match (side, line["type"].as_str()) {
                (Side::Sdk, Some("user")) => '❯',
                (Side::Cli, Some("assistant")) if line["agent_id"].is_null() => '●',
                _ => return None,
            };
            let text = text(&line["message"]["content"]);
            (!text.is_empty()).then(|| format!("\n{mark} {text}"))
        });
        said.collect::<Vec<_>>().join("\n")
    }

    pub(super) fn started(&self, args: &[String]) {
        self.seen().args = args.to_vec();
    }

    pub(super) fn received(&self, line: &Value) {
        self.seen().lines.push((Side::Sdk, line.clone()));
    }

    pub(super) fn sent_by_cli(&self, line: Value) {
        self.seen().lines.push((Side::Cli, line));
    }

    pub(super) fn prompt(&self, text: &str) {
        self.seen().prompts.push(text.to_owned());
    }

    pub(super) fn context(&self, text: String) {
        self.seen().contexts.push(text);
    }

    /// A call of this tool is in an answer.
    pub(super) fn called(&self, tool: &str) {
        self.seen().called.insert(tool.to_owned());
    }

    pub(super) fn is_called(&self, tool: &str) -> bool {
        self.seen().called.contains(tool)
    }

    pub(super) fn call(&self, call: PlayedCall) {
        self.seen().calls.push(call);
    }

    /// A call whose turn was interrupted; the model is told this.
    pub(super) fn interrupted(&self, call: OpenCall, text: &str) {
        self.call(PlayedCall {
            name: call.name,
            input: call.called_with,
            text: text.to_owned(),
            content: text.into(),
            is_error: true,
        });
    }

    pub(super) fn turns_left(&self, turns: usize) {
        self.seen().turns_left = Some(turns);
    }

    pub(super) fn agent_turns_left(&self, turns: usize) {
        self.seen().agent_turns_left = turns;
    }

    pub(super) fn ended(&self) {
        self.seen().has_ended = true;
    }

    pub(super) fn differs(&self, how: &str) {
        self.seen().difference.get_or_insert_with(|| how.to_owned());
    }

    /// The number of handles.
    #[cfg(test)]
    pub(super) fn holders(&self) -> usize {
        Arc::strong_count(&self.0)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
