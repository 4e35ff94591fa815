//! A reply in the form of the Messages API.

use std::fmt::Write as _;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::reply::{Block, Reply, Usage};

/// A reply in the form of the Messages API.
#[derive(Debug)]
pub(super) struct Message {
    id: String,
    model: String,
    content: Vec<Value>,
    /// The deltas of each block.
    deltas: Vec<Vec<Value>>,
    stop_reason: &'static str,
    usage: Usage,
}

impl Message {
    pub(super) fn new(model: &str, reply: &Reply) -> Self {
        let serial = serial();
        let content = reply.blocks.iter().enumerate().map(|(index, block)| match block {
            Block::Text(pieces) => json!({"type": "text", "text": pieces.concat()}),
            Block::Call { name, input } => {
                let id = format!("toolu_{serial}_{index}");
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }
        });
        let calls = reply.blocks.iter().any(|block| matches!(block, Block::Call { .. }));
        let stop_reason = if calls { "tool_use" } else { "end_turn" };
        Self {
            id: format!("msg_{serial}"),
            model: model.to_owned(),
            content: content.collect(),
            deltas: reply.blocks.iter().map(deltas).collect(),
            stop_reason,
            usage: reply.usage,
        }
    }

    /// The response to a request that does not stream.
    pub(super) fn json(&self) -> Value {
        self.envelope(&self.content, Some(self.stop_reason), self.usage.output)
    }

    /// The response to a request that streams: all its server-sent events.
    pub(super) fn events(&self) -> String {
        let mut events = String::new();
        let message = self.envelope(&[], None, 0);
        push(&mut events, &json!({"type": "message_start", "message": message}));
        for (index, (block, deltas)) in self.content.iter().zip(&self.deltas).enumerate() {
            let block = empty(block);
            let start =
                json!({"type": "content_block_start", "index": index, "content_block": block});
            push(&mut events, &start);
            for delta in deltas {
                let delta = json!({"type": "content_block_delta", "index": index, "delta": delta});
                push(&mut events, &delta);
            }
            push(&mut events, &json!({"type": "content_block_stop", "index": index}));
        }
        let delta = json!({"stop_reason": self.stop_reason, "stop_sequence": null});
        let usage = json!({"output_tokens": self.usage.output});
        push(&mut events, &json!({"type": "message_delta", "delta": delta, "usage": usage}));
        push(&mut events, &json!({"type": "message_stop"}));
        events
    }

    fn envelope(&self, content: &[Value], stop_reason: Option<&str>, output_tokens: u64) -> Value {
        json!({
            "id": self.id, "type": "message", "role": "assistant",
            "model": self.model, "content": content,
            "stop_reason": stop_reason, "stop_sequence": null,
            "usage": {"input_tokens": self.usage.input, "output_tokens": output_tokens},
        })
    }
}

/// A block without its content, as it is announced.
fn empty(block: &Value) -> Value {
    let mut start = block.clone();
    match start.get_mut("input") {
        Some(input) => *input = json!({}),
        None => start["text"] = json!(""),
    }
    start
}

/// The deltas of a block.
fn deltas(block: &Block) -> Vec<Value> {
    match block {
        Block::Text(pieces) => {
            pieces.iter().map(|piece| json!({"type": "text_delta", "text": piece})).collect()
        }
        Block::Call { input, .. } => {
            vec![json!({"type": "input_json_delta", "partial_json": input.to_string()})]
        }
    }
}

fn push(events: &mut String, event: &Value) {
    let kind = event["type"].as_str().unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = write!(events, "event: {kind}\ndata: {event}\n\n");
}

/// A number that is unique across processes: the program merges answers with the same id into one
/// message, and a resumed conversation contains the ids of an earlier model.
fn serial() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}_{count}", process::id())
}
