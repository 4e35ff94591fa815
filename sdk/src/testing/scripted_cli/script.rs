//! What is played: turns in order, and turns for certain prompts.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::turn::Turn;

/// Answers to control requests, or why they are refused, by subtype, in their order.
pub(super) type Responses = BTreeMap<String, VecDeque<Result<Value, String>>>;

/// What is played.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// Turns for prompts with this text in them.
    pub(super) rules: Vec<(String, Turn)>,
    pub(super) turns: VecDeque<Turn>,
    /// The turns of subagents.
    pub(super) agents: VecDeque<Turn>,
    /// The answers to control requests, by subtype.
    pub(super) responses: Responses,
}

impl Script {
    pub(super) fn answer(&mut self, subtype: String, answer: Result<Value, String>) {
        self.responses.entry(subtype).or_default().push_back(answer);
    }

    /// The turn for these prompts.
    pub(super) fn next(&mut self, prompts: &[String]) -> Option<Turn> {
        let fits = |(text, _): &&(String, Turn)| prompts.iter().any(|it| it.contains(text));
        match self.rules.iter().find(fits) {
            Some((_, turn)) => Some(turn.clone()),
            None => self.turns.pop_front(),
        }
    }
}
