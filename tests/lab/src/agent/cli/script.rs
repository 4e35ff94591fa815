//! What the CLI writes, rendered before the clock runs.

use std::fmt::Write;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::peer::Peer;
use crate::call::Call;

pub const REQUIRED_VERSION: &str = "2.1.328";

/// The state first, as the real CLI tells it to hosts that ask for it, then the first message.
pub const INIT: &str = concat!(
    r#"{"type":"system","subtype":"session_state_changed","state":"running","sdk_host_only":true,"uuid":"6f1d2c30-5a7b-4c8d-9e0f-000000000001","session_id":"0b9e9a52-7c1f-4e36-8d4a-2f6c1d3e5a70"}"#,
    "\n",
    r#"{"type":"system","subtype":"init","cwd":"/","session_id":"0b9e9a52-7c1f-4e36-8d4a-2f6c1d3e5a70","tools":["Bash","Read"],"mcp_servers":[],"model":"claude-sonnet-5","permissionMode":"default","slash_commands":[],"apiKeySource":"none","claude_code_version":"2.1.328","output_style":"default","agents":[],"skills":[],"plugins":[],"uuid":"6f1d2c30-5a7b-4c8d-9e0f-000000000002"}"#,
    "\n",
);

/// A small assistant message.
pub const READY: &str = concat!(
    r#"{"type":"assistant","message":{"id":"msg_lab_0","type":"message","role":"assistant","model":"claude-sonnet-5","content":[{"type":"text","text":"ready"}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"0b9e9a52-7c1f-4e36-8d4a-2f6c1d3e5a70","uuid":"6f1d2c30-5a7b-4c8d-9e0f-000000000003"}"#,
    "\n",
);

/// How many stream events are rendered; more are the same ones again.
pub const STREAM_BLOCK: usize = 1000;

/// The digits at the beginning of a large text.
const DIGITS: usize = 8;

/// What a scenario writes.
pub enum Output {
    None,
    Stream(StreamBlock),
    /// A line, and where the digits in it are.
    Large(Vec<u8>, usize),
}

/// A run of stream events, as lines.
pub struct StreamBlock {
    pub lines: String,
    /// Where each line ends.
    ends: Vec<usize>,
    /// How long the texts are.
    texts: Vec<usize>,
}

impl StreamBlock {
    pub fn render() -> Self {
        let mut block = Self { lines: String::new(), ends: Vec::new(), texts: Vec::new() };
        for index in 0..STREAM_BLOCK {
            let text = format!(" words {index} of an answer");
            block.texts.push(text.len());
            let _ = writeln!(
                block.lines,
                r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":{index},"delta":{{"type":"text_delta","text":"{text}"}}}},"session_id":"0b9e9a52-7c1f-4e36-8d4a-2f6c1d3e5a70","parent_tool_use_id":null,"uuid":"c2a4e6f8-1b3d-4f5a-8c7e-{index:012}","user_message_uuid":"d47ac10b-58cc-4372-a567-0e02b2c3d479"}}"#
            );
            block.ends.push(block.lines.len());
        }
        block
    }

    /// The lines of the first `count` messages, block by block.
    pub fn parts(&self, count: usize) -> impl Iterator<Item = &str> {
        let last = count % STREAM_BLOCK;
        let rest = (last > 0).then(|| &self.lines[..self.ends[last - 1]]);
        std::iter::repeat_n(self.lines.as_str(), count / STREAM_BLOCK).chain(rest)
    }

    /// How long all texts of the first `count` messages are.
    pub fn text_length(&self, count: usize) -> usize {
        let whole: usize = self.texts.iter().sum();
        whole * (count / STREAM_BLOCK) + self.texts[..count % STREAM_BLOCK].iter().sum::<usize>()
    }
}

pub fn prepare(scenario: &str, numbers: &[usize]) -> Result<Output> {
    Ok(match (scenario, numbers) {
        ("partial", _) => Output::Stream(StreamBlock::render()),
        ("large", [size, _]) => large(*size),
        _ => Output::None,
    })
}

fn large(size: usize) -> Output {
    let Call::Echo(text) = Call::echo(size - DIGITS) else { return Output::None };
    let text = Value::from("0".repeat(DIGITS) + &text).to_string();
    let line = READY.replace(r#""ready""#, &text);
    let digits = line.find("00000000").unwrap_or_default();
    Output::Large(line.into_bytes(), digits)
}

impl Output {
    pub fn write_stream(&self, peer: &mut Peer, count: usize) -> Result<Value> {
        let Self::Stream(block) = self else { bail!("nothing is prepared") };
        for part in block.parts(count) {
            peer.write(part.as_bytes())?;
        }
        Ok(Value::Null)
    }

    pub fn write_large(&self, peer: &mut Peer, count: usize) -> Result<Value> {
        let Self::Large(line, digits) = self else { bail!("nothing is prepared") };
        let mut line = line.clone();
        for number in 1..=count {
            line[*digits..digits + DIGITS].copy_from_slice(format!("{number:08}").as_bytes());
            peer.write(&line)?;
        }
        Ok(Value::Null)
    }
}

/// The end of a turn; what the CLI has measured is its text.
pub fn result(report: &Value) -> String {
    let result = json!({
        "type": "result", "subtype": "success", "is_error": false, "duration_ms": 1, "duration_api_ms": 1, "num_turns": 1,
        "result": report.to_string(), "stop_reason": "end_turn", "session_id": "0b9e9a52-7c1f-4e36-8d4a-2f6c1d3e5a70", "total_cost_usd": 0.0,
        "usage": {"input_tokens": 3, "output_tokens": 1}, "modelUsage": {}, "permission_denials": [],
        "uuid": "6f1d2c30-5a7b-4c8d-9e0f-000000000004",
    });
    let idle = INIT.lines().next().unwrap_or_default().replace("running", "idle");
    format!("{result}\n{idle}\n")
}
