//! What is played: turns in order, and turns for certain prompts.

use std::collections::VecDeque;

use super::turn::Turn;

/// What is played.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// Turns for prompts with this text in them.
    pub(super) rules: Vec<(String, Turn)>,
    pub(super) turns: VecDeque<Turn>,
    /// The turns of subagents.
    pub(super) agents: VecDeque<Turn>,
}

impl Script {
    /// The turn for these prompts.
    pub(super) fn next(&mut self, prompts: &[String]) -> Option<Turn> {
        let fits = |(text, _): &&(String, Turn)| prompts.iter().any(|it| it.contains(text));
        match self.rules.iter().find(fits) {
            Some((_, turn)) => Some(turn.clone()),
            None => self.turns.pop_front(),
        }
    }
}
