use anyhow::{Context, Result};
use memchr::memmem::find_iter;

use super::ask::{Ask, digits};
use crate::answer::excerpt;
use crate::call::{ID_DIGITS, number};

/// Checks every answer to a kind of request: envelope, ids, no error, exact content.
///
/// The first answer is parsed. Those that follow must be the same bytes but for their id and
/// number; whatever differs is parsed as well.
pub struct Checker {
    ask: Ask,
    sample: Vec<u8>,
    /// Where the id stands, and where the number does.
    ids: Vec<usize>,
    numbers: Vec<usize>,
    pub parsed: u64,
}

impl Checker {
    pub fn new(ask: Ask) -> Self {
        Self { ask, sample: Vec::new(), ids: Vec::new(), numbers: Vec::new(), parsed: 0 }
    }

    /// The id of the request that was answered.
    pub fn check(&mut self, line: &[u8]) -> Result<u64> {
        if let Some(id) = self.same(line) {
            return Ok(id);
        }
        self.parsed += 1;
        let answer = serde_json::from_slice(line).context("not JSON");
        let id =
            answer.and_then(|answer| self.ask.check(&answer)).with_context(|| excerpt(line))?;
        let (mark, offset) = self.ask.mark(id);
        self.sample = line.to_vec();
        self.ids = find_iter(line, &digits::<ID_DIGITS>(id)).collect();
        self.numbers = find_iter(line, mark.as_bytes()).map(|at| at + offset).collect();
        Ok(id)
    }

    /// The id, if the line is the right answer to it.
    fn same(&mut self, line: &[u8]) -> Option<u64> {
        let at = *self.ids.first()?;
        if line.len() != self.sample.len() {
            return None;
        }
        let id: u64 = std::str::from_utf8(&line[at..at + ID_DIGITS]).ok()?.parse().ok()?;
        for at in &self.ids {
            self.sample[*at..at + ID_DIGITS]
                .copy_from_slice(&line[self.ids[0]..self.ids[0] + ID_DIGITS]);
        }
        for at in &self.numbers {
            self.sample[*at..at + 3].copy_from_slice(&digits::<3>(number(id)));
        }
        (line == self.sample).then_some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u64, request: u64, text: &str) -> String {
        format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"5b0c1d2e-3f4a-4b5c-8d6e-0000{request:08}","response":{{"mcp_response":{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}}}}}}}"#
        )
    }

    fn right(id: u64) -> String {
        line(id, id, &format!("{}.25", number(id)))
    }

    #[test]
    fn right_answers_are_parsed_once() {
        let mut checker = Checker::new(Ask::Call);
        for id in 10_000_000..10_002_000 {
            assert_eq!(checker.check(right(id).as_bytes()).ok(), Some(id));
        }
        assert_eq!(checker.parsed, 1);
    }

    #[test]
    fn wrong_answers_are_noticed() {
        let mut checker = Checker::new(Ask::Call);
        checker.check(right(10_000_000).as_bytes()).expect("the first answer is right");
        let bad = [
            line(10_000_001, 10_000_002, &format!("{}.25", number(10_000_001))),
            line(10_000_001, 10_000_001, &format!("{}.25", number(10_000_002))),
            right(10_000_001).replace("success", "error"),
            right(10_000_001).replace("2.0", "1.0"),
            String::new(),
        ];
        for line in bad {
            assert!(checker.check(line.as_bytes()).is_err(), "{line}");
        }
    }

    fn answer(id: u64, response: &str) -> String {
        format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"5b0c1d2e-3f4a-4b5c-8d6e-0000{id:08}","response":{response}}}}}"#
        )
    }

    fn denied(number: u64) -> String {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"cargo test --package lab-{number}"}}}}"#
        )
    }

    fn allowed(number: u64) -> String {
        format!(
            r#"{{"behavior":"allow","updatedInput":{{"command":"cargo test --package lab-{number}","description":"Run the tests of a package"}}}}"#
        )
    }

    #[test]
    fn answers_of_hooks_and_permissions_are_checked_too() {
        for (ask, response) in
            [(Ask::Hook, denied as fn(u64) -> String), (Ask::Permission, allowed)]
        {
            let mut checker = Checker::new(ask);
            for id in 10_000_000..10_000_100 {
                let right = answer(id, &response(number(id)));
                assert_eq!(checker.check(right.as_bytes()).ok(), Some(id));
            }
            assert_eq!(checker.parsed, 1);
            let id = 10_000_100;
            let another = answer(id, &response(number(id + 1)));
            assert!(checker.check(another.as_bytes()).is_err(), "{another}");
            let empty = answer(id, "{}");
            assert!(checker.check(empty.as_bytes()).is_err(), "{empty}");
        }
    }
}
