use std::ops::Range;

use anyhow::{Context, Result, anyhow, bail, ensure};
use memchr::memmem;
use serde_json::Value;

use crate::call::{Batch, Call, ID_DIGITS, number};

/// Checks every answer of one kind of call: version, id, no error, exact text.
///
/// The first answer is parsed. Those that follow are compared with it byte by byte, except where
/// the id and the number are, so that checking costs far less than the fastest server; whatever
/// differs is parsed as well.
pub struct Checker {
    /// The line echo answers with the request itself.
    echoes_lines: bool,
    template: Option<Template>,
    /// How many answers had to be parsed. When that is most of them, it is the driver that is
    /// measured.
    pub parsed: u64,
}

impl Checker {
    pub fn new(echoes_lines: bool) -> Self {
        Self { echoes_lines, template: None, parsed: 0 }
    }

    /// The position of the answered request in its batch.
    pub fn check(&mut self, batch: &Batch, line: &[u8]) -> Result<usize> {
        if let Some(template) = &self.template
            && let Some(id) = template.id_of(line)
            && let Some(position) = batch.position(id)
        {
            return Ok(position);
        }
        self.parsed += 1;
        let read =
            if self.echoes_lines { same_line(batch, line) } else { full_check(&batch.call, line) };
        let id = read.map_err(|reason| anyhow!("{reason:#}: {}", excerpt(line)))?;
        let position = batch
            .position(id)
            .with_context(|| format!("an answer to nobody: {}", excerpt(line)))?;
        self.template = Template::of(line, &batch.call, id);
        Ok(position)
    }
}

struct Template {
    sample: Vec<u8>,
    id_at: usize,
    number_at: Option<usize>,
    /// What is the same in all answers.
    fixed: Vec<Range<usize>>,
}

impl Template {
    fn of(line: &[u8], call: &Call, id: u64) -> Option<Self> {
        let id_at = memmem::find(line, format!(r#""id":{id}"#).as_bytes())? + r#""id":"#.len();
        let number_at = match call {
            Call::Add => {
                let digits = number(id);
                let in_answer =
                    memmem::find(line, format!(r#""{digits}.25""#).as_bytes()).map(|at| at + 1);
                let in_request =
                    || memmem::find(line, format!(r#""a":{digits},"#).as_bytes()).map(|at| at + 4);
                Some(in_answer.or_else(in_request)?)
            }
            _ => None,
        };
        let id = id_at..id_at + ID_DIGITS;
        let mut slots: Vec<_> =
            [Some(id), number_at.map(|at| at..at + 3)].into_iter().flatten().collect();
        slots.sort_by_key(|slot| slot.start);
        let mut fixed = Vec::new();
        let mut from = 0;
        for slot in slots {
            fixed.push(from..slot.start);
            from = slot.end;
        }
        fixed.push(from..line.len());
        Some(Self { sample: line.to_vec(), id_at, number_at, fixed })
    }

    /// The id, if the line is the right answer to it.
    fn id_of(&self, line: &[u8]) -> Option<u64> {
        if line.len() != self.sample.len()
            || self.fixed.iter().any(|part| line[part.clone()] != self.sample[part.clone()])
        {
            return None;
        }
        let id = digits(&line[self.id_at..self.id_at + ID_DIGITS])?;
        match self.number_at {
            Some(at) if digits(&line[at..at + 3])? != number(id) => None,
            _ => Some(id),
        }
    }
}

fn digits(bytes: &[u8]) -> Option<u64> {
    bytes
        .iter()
        .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0')))
}

fn same_line(batch: &Batch, line: &[u8]) -> Result<u64> {
    let id = parse(line)?["id"].as_u64().context("no id")?;
    let position = batch.position(id).context("an unknown id")?;
    ensure!(
        batch.lines(position, position + 1).strip_suffix(b"\n") == Some(line),
        "not the line that was sent"
    );
    Ok(id)
}

fn full_check(call: &Call, line: &[u8]) -> Result<u64> {
    let answer = parse(line)?;
    ensure!(answer["jsonrpc"] == "2.0", "jsonrpc is not 2.0");
    ensure!(answer.get("error").is_none(), "an error");
    let id = answer["id"].as_u64().context("no numeric id")?;
    let result = &answer["result"];
    ensure!(matches!(result.get("isError"), None | Some(Value::Bool(false))), "a tool error");
    let Some([content]) = result["content"].as_array().map(Vec::as_slice) else {
        bail!("not one content block")
    };
    ensure!(content["type"] == "text", "the content is not text");
    ensure!(content["text"] == call.text(id), "another text than expected");
    Ok(id)
}

fn parse(line: &[u8]) -> Result<Value> {
    serde_json::from_slice(line).context("not JSON")
}

pub fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
    if line.len() > 200 { format!("{text}… ({} bytes)", line.len()) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{Era, FIRST_ID};

    fn answer(id: u64, text: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}],"isError":false}}}}"#
        )
    }

    fn add(id: u64) -> String {
        answer(id, &Call::Add.text(id))
    }

    /// A checker that has its template already.
    fn warm(batch: &Batch) -> Checker {
        let mut checker = Checker::new(false);
        checker.check(batch, add(FIRST_ID).as_bytes()).expect("the first answer is right");
        checker
    }

    #[test]
    fn right_answers_are_parsed_once() {
        let batch = Batch::render(Call::Add, Era::Legacy, FIRST_ID, 50);
        let mut checker = warm(&batch);
        for position in (0..50).rev() {
            let line = add(FIRST_ID + position);
            assert_eq!(checker.check(&batch, line.as_bytes()).ok(), usize::try_from(position).ok());
        }
        assert_eq!(checker.parsed, 1);
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let batch = Batch::render(Call::Add, Era::Legacy, FIRST_ID, 50);
        // A changed name of an optional member would be an unknown member, which is allowed.
        let good = add(FIRST_ID + 7).replace(r#","isError":false"#, "");
        for at in 0..good.len() {
            for byte in *b"0129xE \"\\" {
                let mut bad = good.clone().into_bytes();
                if bad[at] == byte {
                    continue;
                }
                bad[at] = byte;
                let verdict = warm(&batch).check(&batch, &bad);
                assert!(
                    verdict.is_err(),
                    "{} passed as {verdict:?}",
                    String::from_utf8_lossy(&bad)
                );
            }
        }
    }

    #[test]
    fn wrong_kinds_of_answers_are_noticed() {
        let batch = Batch::render(Call::Add, Era::Legacy, FIRST_ID, 50);
        let bad = [
            add(FIRST_ID + 50),
            answer(FIRST_ID + 1, "100.25"),
            format!(
                r#"{{"jsonrpc":"2.0","id":{FIRST_ID},"error":{{"code":-32603,"message":"no"}}}}"#
            ),
            add(FIRST_ID).replace("false", "true"),
            add(FIRST_ID).replace("2.0", "1.0"),
            add(FIRST_ID).replace(r#"[{"#, r#"[{"type":"text","text":"more"},{"#),
            String::new(),
        ];
        for line in bad {
            assert!(warm(&batch).check(&batch, line.as_bytes()).is_err(), "{line}");
        }
    }

    #[test]
    fn another_order_of_members_is_as_good() {
        let batch = Batch::render(Call::Add, Era::Legacy, FIRST_ID, 50);
        let line = r#"{"result": {"content": [{"text": "200.25", "type": "text"}]}, "id": 10000000, "jsonrpc": "2.0"}"#;
        assert_eq!(
            warm(&batch)
                .check(&batch, line.replace("200", &number(FIRST_ID).to_string()).as_bytes())
                .ok(),
            Some(0)
        );
    }

    #[test]
    fn the_line_echo_must_return_the_request() {
        let batch = Batch::render(Call::Add, Era::Legacy, FIRST_ID, 50);
        let mut checker = Checker::new(true);
        for position in 0..50 {
            let line = batch.lines(position, position + 1).trim_ascii_end();
            assert_eq!(checker.check(&batch, line).ok(), Some(position));
            assert!(checker.check(&batch, &line.to_ascii_uppercase()).is_err());
        }
        assert_eq!(checker.parsed, 51);
    }
}
