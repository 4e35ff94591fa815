use anyhow::{Context, Result, ensure};
use memchr::memmem::find_iter;
use serde_json::Value;

use super::calls::digits;
use crate::answer::excerpt;
use crate::call::{ID_DIGITS, number};

/// Checks every answer to an `add`: envelope, ids, no error, exact text.
///
/// The first answer is parsed. Those that follow must be the same bytes but for their id and
/// number; whatever differs is parsed as well.
#[derive(Default)]
pub struct Checker {
    sample: Vec<u8>,
    /// Where the id stands, and where the number does.
    ids: Vec<usize>,
    numbers: Vec<usize>,
    pub parsed: u64,
}

impl Checker {
    /// The id of the call that was answered.
    pub fn check(&mut self, line: &[u8]) -> Result<u64> {
        if let Some(id) = self.same(line) {
            return Ok(id);
        }
        self.parsed += 1;
        let id = full_check(line).with_context(|| excerpt(line))?;
        self.sample = line.to_vec();
        self.ids = find_iter(line, &digits::<ID_DIGITS>(id)).collect();
        self.numbers = find_iter(line, format!("{}.25", number(id)).as_bytes()).collect();
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

fn full_check(line: &[u8]) -> Result<u64> {
    let answer: Value = serde_json::from_slice(line).context("not JSON")?;
    ensure!(answer["type"] == "control_response", "another message than an answer");
    let response = &answer["response"];
    ensure!(response["subtype"] == "success", "a refusal");
    let answer = &response["response"]["mcp_response"];
    ensure!(answer["jsonrpc"] == "2.0" && answer.get("error").is_none(), "an error");
    let id = answer["id"].as_u64().context("no numeric id")?;
    let request = response["request_id"].as_str().context("no request_id")?;
    ensure!(
        request == format!("5b0c1d2e-3f4a-4b5c-8d6e-0000{id:08}"),
        "the answer to another request"
    );
    let result = &answer["result"];
    ensure!(matches!(result.get("isError"), None | Some(Value::Bool(false))), "a tool error");
    ensure!(
        result["content"].as_array().is_some_and(|content| content.len() == 1),
        "not one content block"
    );
    ensure!(result["content"][0]["type"] == "text", "the content is not text");
    ensure!(
        result["content"][0]["text"] == format!("{}.25", number(id)),
        "another text than expected"
    );
    Ok(id)
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
        let mut checker = Checker::default();
        for id in 10_000_000..10_002_000 {
            assert_eq!(checker.check(right(id).as_bytes()).ok(), Some(id));
        }
        assert_eq!(checker.parsed, 1);
    }

    #[test]
    fn wrong_answers_are_noticed() {
        let mut checker = Checker::default();
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
}
