//! A reply in the form of the Messages API.

use std::fmt::Write as _;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::testing::gate::Gate;
use crate::testing::reply::{Block, Reply};

/// A reply in the form of the Messages API.
#[derive(Debug)]
pub(super) struct Message<'a> {
    id: String,
    model: String,
    reply: &'a Reply,
    /// A value for each block; null for what is none.
    content: Vec<Value>,
}

/// A part of the response to a request.
#[derive(Debug)]
pub(super) enum Part {
    /// Server-sent events, or the whole message.
    Text(String),
    /// What follows waits.
    Gate(Gate),
    /// The connection ends here.
    Cut,
}

impl<'a> Message<'a> {
    pub(super) fn new(model: &str, reply: &'a Reply) -> Self {
        let serial = serial();
        let content = reply.sent().iter().enumerate().map(|(index, block)| match block {
            Block::Text(pieces) => json!({"type": "text", "text": pieces.concat()}),
            Block::Thinking { text, signature } => {
                json!({"type": "thinking", "thinking": text, "signature": signature})
            }
            Block::Call { name, input } => {
                let id = format!("toolu_{serial}_{index}");
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }
            Block::Gate(_) => Value::Null,
        });
        let id = format!("msg_{serial}");
        Self { id, model: model.to_owned(), content: content.collect(), reply }
    }

    /// The response to a request that does not stream.
    pub(super) fn whole(&self) -> Vec<Part> {
        let content = self.content.iter().filter(|block| !block.is_null()).cloned().collect();
        let stops_for = Some(self.reply.stops_for());
        let message = self.envelope(content, stops_for, self.reply.usage.output);
        let last = match self.reply.is_cut_off {
            true => Part::Cut,
            false => Part::Text(message.to_string()),
        };
        self.reply.pauses().cloned().map(Part::Gate).chain([last]).collect()
    }

    /// The response to a request that streams.
    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.reply.is_cut_off && self.reply.sent().is_empty() {
            return vec![Part::Cut];
        }
        let message = self.envelope(json!([]), None, 0);
        push(&mut parts, &json!({"type": "message_start", "message": message}));
        let mut index = 0;
        for (block, value) in self.reply.sent().iter().zip(&self.content) {
            let (start, deltas) = match block {
                Block::Gate(gate) => {
                    parts.push(Part::Gate(gate.clone()));
                    continue;
                }
                Block::Text(pieces) => {
                    let delta = |piece| json!({"type": "text_delta", "text": piece});
                    (json!({"text": ""}), pieces.iter().map(delta).collect())
                }
                Block::Thinking { text, signature } => {
                    let deltas = vec![
                        json!({"type": "thinking_delta", "thinking": text}),
                        json!({"type": "signature_delta", "signature": signature}),
                    ];
                    (json!({"thinking": "", "signature": ""}), deltas)
                }
                Block::Call { input, .. } => {
                    let input = input.to_string();
                    let delta = json!({"type": "input_json_delta", "partial_json": input});
                    (json!({"input": {}}), vec![delta])
                }
            };
            let mut begun = value.clone();
            for (name, empty) in start.as_object().into_iter().flatten() {
                begun[name] = empty.clone();
            }
            let begun = json!({
                "type": "content_block_start", "index": index, "content_block": begun,
            });
            push(&mut parts, &begun);
            for delta in deltas {
                let delta = json!({"type": "content_block_delta", "index": index, "delta": delta});
                push(&mut parts, &delta);
            }
            push(&mut parts, &json!({"type": "content_block_stop", "index": index}));
            index += 1;
        }
        if self.reply.is_cut_off {
            parts.push(Part::Cut);
            return parts;
        }
        let delta = json!({"stop_reason": self.reply.stops_for(), "stop_sequence": null});
        let usage = json!({"output_tokens": self.reply.usage.output});
        push(&mut parts, &json!({"type": "message_delta", "delta": delta, "usage": usage}));
        push(&mut parts, &json!({"type": "message_stop"}));
        parts
    }

    fn envelope(&self, content: Value, stop_reason: Option<&str>, output_tokens: u64) -> Value {
        json!({
            "id": self.id, "type": "message", "role": "assistant",
            "model": self.model, "content": content,
            "stop_reason": stop_reason, "stop_sequence": null,
            "usage": {"input_tokens": self.reply.usage.input, "output_tokens": output_tokens},
        })
    }
}

/// Adds an event, to the events before it if nothing comes between.
fn push(parts: &mut Vec<Part>, event: &Value) {
    let kind = event["type"].as_str().unwrap_or_default();
    if !matches!(parts.last(), Some(Part::Text(_))) {
        parts.push(Part::Text(String::new()));
    }
    if let Some(Part::Text(events)) = parts.last_mut() {
        // Writing to a string cannot fail.
        let _ = write!(events, "event: {kind}\ndata: {event}\n\n");
    }
}

/// A number that is unique across processes: the program merges answers with the same id into one
/// message, and a resumed conversation contains the ids of an earlier model.
fn serial() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}_{count}", process::id())
}
