use std::fmt::Write as _;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::reply::{Block, Reply};

pub(super) const INPUT_TOKENS: u64 = 10;
const OUTPUT_TOKENS: u64 = 10;

/// A reply in the form of the Messages API.
#[derive(Debug)]
pub(super) struct Message {
    id: String,
    model: String,
    content: Vec<Value>,
    stop_reason: &'static str,
}

impl Message {
    pub(super) fn new(model: &str, reply: &Reply) -> Self {
        let serial = serial();
        let content: Vec<Value> = reply
            .blocks
            .iter()
            .enumerate()
            .map(|(index, block)| match block {
                Block::Text(text) => json!({"type": "text", "text": text}),
                Block::Call { name, input } => {
                    json!({"type": "tool_use", "id": format!("toolu_{serial}_{index}"), "name": name, "input": input})
                }
            })
            .collect();
        let calls = reply.blocks.iter().any(|block| matches!(block, Block::Call { .. }));
        let stop_reason = if calls { "tool_use" } else { "end_turn" };
        Self { id: format!("msg_{serial}"), model: model.to_owned(), content, stop_reason }
    }

    /// The answer to a request that does not stream.
    pub(super) fn json(&self) -> Value {
        self.envelope(&self.content, Some(self.stop_reason), OUTPUT_TOKENS)
    }

    /// The answer to a request that streams: all its server-sent events.
    pub(super) fn events(&self) -> String {
        let mut events = String::new();
        push(&mut events, &json!({"type": "message_start", "message": self.envelope(&[], None, 0)}));
        for (index, block) in self.content.iter().enumerate() {
            let (start, delta) = start_and_delta(block);
            push(&mut events, &json!({"type": "content_block_start", "index": index, "content_block": start}));
            push(&mut events, &json!({"type": "content_block_delta", "index": index, "delta": delta}));
            push(&mut events, &json!({"type": "content_block_stop", "index": index}));
        }
        let delta = json!({"stop_reason": self.stop_reason, "stop_sequence": null});
        let usage = json!({"output_tokens": OUTPUT_TOKENS});
        push(&mut events, &json!({"type": "message_delta", "delta": delta, "usage": usage}));
        push(&mut events, &json!({"type": "message_stop"}));
        events
    }

    fn envelope(&self, content: &[Value], stop_reason: Option<&str>, output_tokens: u64) -> Value {
        json!({
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": null,
            "usage": {"input_tokens": INPUT_TOKENS, "output_tokens": output_tokens},
        })
    }
}

/// A block as it is announced, and the one delta that fills it.
fn start_and_delta(block: &Value) -> (Value, Value) {
    let mut start = block.clone();
    if block["type"] == "tool_use" {
        start["input"] = json!({});
        (start, json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}))
    } else {
        start["text"] = json!("");
        (start, json!({"type": "text_delta", "text": block["text"]}))
    }
}

fn push(events: &mut String, event: &Value) {
    let kind = event["type"].as_str().unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = write!(events, "event: {kind}\ndata: {event}\n\n");
}

/// Unlike any other, also among the models of other processes: the program merges answers with the same id into one
/// message, and a conversation that is resumed brings the ids of an earlier model along.
fn serial() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}_{count}", process::id())
}
