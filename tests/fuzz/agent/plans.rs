//! What a CLI has to say to requests of the agent's.

use std::collections::VecDeque;

use super::lines::Effect;

/// It stands for the id of the request, and what is behind `req_` in it, in a line of a plan.
pub(super) const ID: &str = "req_№";
const NUMBER: &str = "№";

/// What is said to one request.
pub(super) struct Plan {
    pub(super) lines: Vec<(String, Effect)>,
    /// Of the requests that are open together the one with the lowest rank is answered first.
    pub(super) rank: usize,
}

/// Requests that are expected, in their order, and those of them that were heard.
#[derive(Default)]
pub(super) struct Plans {
    expected: VecDeque<Plan>,
    heard: Vec<Plan>,
    /// The output ends once everything is said.
    pub(super) is_last: bool,
}

impl Plans {
    pub(super) fn add(&mut self, plan: Plan) {
        self.expected.push_back(plan);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_last && self.expected.is_empty()
    }

    /// What to say after a request with this id: nothing as long as more are expected. `None` if
    /// this one was not.
    pub(super) fn hear(&mut self, id: &str) -> Option<Vec<(Vec<u8>, Effect)>> {
        let mut plan = self.expected.pop_front()?;
        let number = id.strip_prefix("req_").unwrap_or(id);
        plan.lines.iter_mut().for_each(|(line, _)| *line = line.replace(NUMBER, number));
        self.heard.push(plan);
        if !self.expected.is_empty() {
            return Some(Vec::new());
        }
        self.heard.sort_by_key(|plan| plan.rank);
        let lines = self.heard.drain(..).flat_map(|plan| plan.lines);
        Some(lines.map(|(line, effect)| (line.into_bytes(), effect)).collect())
    }
}
