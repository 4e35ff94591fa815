//! Structured output: the model gives it by a tool that checks it against the schema.
//!
//! The real CLI names problems in other words.

use std::mem;

use serde_json::{Value, json};

use super::cli::Cli;
use super::result::End;
use super::turn_state::TurnState;
use crate::mcp::schema::check::problems_of_written;

/// The tool by which the model gives it.
pub(super) const OUTPUT: &str = "StructuredOutput";

/// How often the model may fail to give it in one turn.
const MOST_ATTEMPTS: usize = 5;

/// What the model is told that stops without it.
const REMINDER: &str = "[structured-output-enforce] You MUST call the StructuredOutput tool to \
    complete this request. Call this tool now.";

impl Cli {
    /// Whether the tool of this name takes the output here. Subagents have none.
    pub(super) fn takes_output(&self, tool: &str) -> bool {
        tool == OUTPUT && self.state().schema.is_some() && self.agent().is_none()
    }

    /// Takes the output, which ends the turn if it fits the schema. Returns the result of the call,
    /// in MCP's form.
    pub(super) fn take_output(&self, output: &Value) -> Result<Value, String> {
        let schema = self.state().schema.clone().unwrap_or_default();
        let problems = problems_of_written(&schema, &output.to_string());
        if problems.is_empty() {
            self.with_turn(|turn| turn.output = Some(output.clone()));
            return Ok(json!({"content": "Structured output provided successfully"}));
        }
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        Err(format!("Output does not match required schema: {}", problems.join(", ")))
    }

    /// How the turn ends by what was given, if it does.
    pub(super) fn end_by_output(&self) -> Option<End> {
        let end = self.with_turn(|turn| {
            if let Some(output) = turn.output.take() {
                return Some(End::Structured(output));
            }
            let attempts = turn.refused_outputs.len();
            let error = turn.refused_outputs.last().filter(|_| attempts >= MOST_ATTEMPTS)?.clone();
            Some(End::NoOutput { attempts, error })
        });
        end.flatten()
    }

    /// Once in a turn a model that stops without the output is told to give it. Returns whether it
    /// was.
    pub(super) async fn remind_of_output(&self) -> bool {
        let remind = |turn: &mut TurnState| !mem::replace(&mut turn.is_reminded, true);
        if !self.takes_output(OUTPUT) || self.with_turn(remind) != Some(true) {
            return false;
        }
        let said = self.with_turn(|turn| turn.speaker.text.clone());
        let hooks = self.stop_hooks(false, said.as_deref()).await;
        self.say_notices(hooks.notices("Stop"));
        self.say_synthetic_user(REMINDER);
        true
    }
}
