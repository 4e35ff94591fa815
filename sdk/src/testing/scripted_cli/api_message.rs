//! Answers of the model: an answer of the Messages API, block by block.
//!
//! Each block is an `assistant` message of its own with the answer's id; the first of a turn has
//! the id of the prompt. With partial messages, stream events surround it, and the block's
//! `content_block_stop` follows it.

use serde_json::{Value, json};

use super::cli::Cli;
use super::json::str;

/// The input and the output tokens of each answer.
pub(super) const TOKENS: u64 = 10;

/// An answer in progress.
pub(super) struct ApiMessage {
    id: String,
    blocks: u64,
    calls: bool,
}

impl Cli {
    /// Sends a block of the answer. The first block starts the answer.
    pub(super) fn say_block(&self, message: &mut Option<ApiMessage>, block: Value) {
        let message = message.get_or_insert_with(|| self.begin_message());
        let index = message.blocks;
        message.blocks += 1;
        let (kind, start, delta) = match block["type"].as_str() {
            Some("tool_use") => {
                message.calls = true;
                let mut start = block.clone();
                start["input"] = json!({});
                ("partial_json", start, vec![("input_json_delta", block["input"].to_string())])
            }
            Some("thinking") => {
                let start = json!({"type": "thinking", "thinking": "", "signature": ""});
                ("thinking", start, vec![("thinking_delta", str(&block["thinking"]).to_owned())])
            }
            _ => {
                let words = str(&block["text"]).split_inclusive(' ');
                let deltas = words.map(|word| ("text_delta", word.to_owned())).collect();
                ("text", json!({"type": "text", "text": ""}), deltas)
            }
        };
        let start = json!({"type": "content_block_start", "index": index, "content_block": start});
        self.say_event(&message.id, start);
        for (name, piece) in delta {
            let mut delta = json!({"type": name});
            delta[kind] = piece.into();
            let delta = json!({"type": "content_block_delta", "index": index, "delta": delta});
            self.say_event(&message.id, delta);
        }
        if let Some(text) = block["text"].as_str() {
            self.with_turn(|turn| turn.text = text.to_owned());
        }
        let id = message.id.clone();
        let message = self.message(&id, json!([block]));
        let message = json!({"type": "assistant", "message": message, "parent_tool_use_id": null});
        self.say_attributed(message, true);
        self.say_event(&id, json!({"type": "content_block_stop", "index": index}));
    }

    fn begin_message(&self) -> ApiMessage {
        let id = {
            let state = &mut *self.state();
            state.answers += 1;
            state.turn.iter_mut().for_each(|turn| turn.answers += 1);
            format!("msg_{}", state.answers)
        };
        if self.setup.partial {
            let status = json!({"type": "system", "subtype": "status", "status": "requesting"});
            self.say_message(status);
        }
        let message = self.message(&id, json!([]));
        self.say_event(&id, json!({"type": "message_start", "message": message}));
        ApiMessage { id, blocks: 0, calls: false }
    }

    /// Ends the answer, if there is one.
    pub(super) fn end_message(&self, message: Option<ApiMessage>) {
        let Some(ApiMessage { id, calls, .. }) = message else { return };
        let stop_reason = if calls { "tool_use" } else { "end_turn" };
        let delta = json!({"stop_reason": stop_reason, "stop_sequence": null});
        let usage = json!({"output_tokens": TOKENS});
        self.say_event(&id, json!({"type": "message_delta", "delta": delta, "usage": usage}));
        self.say_event(&id, json!({"type": "message_stop"}));
    }

    fn message(&self, id: &str, content: Value) -> Value {
        let model = self.state().model.clone();
        json!({
            "id": id, "type": "message", "role": "assistant", "model": model, "content": content,
            "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": TOKENS, "output_tokens": 0},
        })
    }

    fn say_event(&self, id: &str, event: Value) {
        if self.setup.partial {
            let is_first = event["type"] == "message_start";
            let message = json!({
                "type": "stream_event", "event": event,
                "parent_tool_use_id": null, "api_message_id": id,
            });
            // The first event of a turn also has the id of the prompt.
            if is_first { self.say_attributed(message, false) } else { self.say_message(message) }
        }
    }

    /// Sends a message with the id of the prompt, unless an answer has carried it already.
    fn say_attributed(&self, mut message: Value, is_answer: bool) {
        let prompt = self.with_turn(|turn| {
            let prompt = (!turn.is_attributed).then(|| turn.prompt.clone());
            turn.is_attributed |= is_answer;
            prompt
        });
        if let Some(prompt) = prompt.flatten().filter(|prompt| !prompt.is_empty()) {
            message["user_message_uuids"] = json!([prompt]);
            message["user_message_uuid"] = prompt.into();
        }
        self.say_message(message);
    }
}
