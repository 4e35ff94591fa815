//! Answers of the model: an answer of the Messages API, block by block.
//!
//! Each block is an `assistant` message of its own with the answer's id; the first of a turn has
//! the id of the prompt. With partial messages, stream events surround it, and the block's
//! `content_block_stop` follows it.

use serde_json::{Value, json};

use super::cli::Cli;
use super::json::{merge, str};
use super::permissions::display_name;
use crate::testing::reply::Usage;

/// An answer in progress.
pub(super) struct ApiMessage {
    pub(super) id: String,
    blocks: u64,
    calls: bool,
    usage: Usage,
    /// Why it stops, if not by itself.
    stop_reason: Option<String>,
}

impl Cli {
    /// Sends a block of the answer, as partial messages in these pieces. The first block starts the
    /// answer.
    pub(super) fn say_block(
        &self,
        message: &mut Option<ApiMessage>,
        block: Value,
        pieces: &[String],
    ) {
        let message = message.get_or_insert_with(|| self.begin_message(Usage::default(), None));
        let index = message.blocks;
        message.blocks += 1;
        let id = message.id.clone();
        let model = self.asked_model();
        let mut answer = self.message(&id, &model, json!([block]), message.usage);
        answer["context_management"] = Value::Null;
        let mut said = json!({"type": "assistant", "message": answer, "parent_tool_use_id": null});
        let start = |empty: Value| {
            let mut start = block.clone();
            merge(&mut start, empty);
            json!({"type": "content_block_start", "index": index, "content_block": start})
        };
        let delta =
            |delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
        match block["type"].as_str() {
            Some("tool_use") => {
                message.calls = true;
                self.say_event(&id, start(json!({"input": {}})));
                let input = block["input"].to_string();
                self.say_event(
                    &id,
                    delta(json!({"type": "input_json_delta", "partial_json": input})),
                );
                if let Some(meta) = self.tool_use_meta(&block) {
                    said["tool_use_meta"] = json!([meta]);
                }
            }
            Some("thinking") => {
                let shown = json!({"thinking_display": "updates"});
                let (text, signature) = (&block["thinking"], &block["signature"]);
                let begun = start(json!({"thinking": "", "signature": ""}));
                self.say_event_with(&id, begun, shown.clone());
                self.say_thinking_tokens_of(str(text), 0);
                let thought = delta(json!({"type": "thinking_delta", "thinking": text}));
                self.say_event_with(&id, thought, shown.clone());
                self.say_thinking_tokens_of(str(signature), estimate(str(text)));
                let signed = json!({"type": "signature_delta", "signature": signature});
                self.say_event(&id, delta(signed));
                merge(&mut said, shown);
                said["thinking_duration_ms"] = 0.into();
            }
            _ => {
                self.say_event(&id, start(json!({"text": ""})));
                for piece in pieces {
                    self.say_event(&id, delta(json!({"type": "text_delta", "text": piece})));
                }
            }
        }
        if let Some(text) = block["text"].as_str() {
            self.with_turn(|turn| turn.speaker.text = text.to_owned());
        }
        self.say_answer(said, block["type"] == "tool_use");
        self.say_event(&id, json!({"type": "content_block_stop", "index": index}));
    }

    /// Of what a subagent says only its calls are messages, unless the SDK wants the rest.
    fn say_answer(&self, said: Value, calls: bool) {
        if calls || self.agent().is_none() || self.state().forwards {
            self.say_attributed(said, true);
        }
    }

    /// Asks the model that is set now. If another is set before the answer, the answer and its
    /// tokens are still those of this one.
    pub(super) fn ask_model(&self) {
        let state = &mut *self.state();
        if let Some(turn) = &mut state.turn {
            turn.model.clone_from(&state.model);
        }
    }

    pub(super) fn asked_model(&self) -> String {
        self.with_turn(|turn| turn.model.clone()).unwrap_or_default()
    }

    /// Begins an answer.
    pub(super) fn begin_message(&self, usage: Usage, stop_reason: Option<String>) -> ApiMessage {
        let model = self.asked_model();
        let (id, prompts) = {
            let state = &mut *self.state();
            state.answers += 1;
            let begun = state.turn.as_mut().map(|turn| {
                let is_own = turn.is_main();
                turn.first_input = turn.first_input.or(is_own.then_some(usage.input));
                turn.unfinished = is_own.then_some(usage.input);
                turn.prompts.clone()
            });
            (format!("msg_{}", state.answers), begun.unwrap_or_default())
        };
        if self.setup.partial && self.agent().is_none() {
            self.say_message(json!({
                "type": "system", "subtype": "status", "status": "requesting",
                "user_message_uuids": prompts,
            }));
        }
        let message = self.message(&id, &model, json!([]), usage);
        let shown = json!({"thinking_display": "updates"});
        self.say_event_with(&id, json!({"type": "message_start", "message": message}), shown);
        ApiMessage { id, blocks: 0, calls: false, usage, stop_reason }
    }

    /// Ends the answer, if there is one.
    pub(super) fn end_message(&self, message: Option<ApiMessage>) {
        let Some(ApiMessage { id, calls, usage, stop_reason, .. }) = message else { return };
        let by_itself = if calls { "tool_use" } else { "end_turn" };
        let stop_reason = stop_reason.unwrap_or_else(|| by_itself.to_owned());
        let delta = json!({"stop_reason": stop_reason, "stop_sequence": null});
        let output = json!({"output_tokens": usage.output});
        self.say_event(&id, json!({"type": "message_delta", "delta": delta, "usage": output}));
        self.say_event(&id, json!({"type": "message_stop"}));
        self.count(usage, usage.output);
        self.with_turn(|turn| {
            if turn.is_main() {
                turn.stop_reason = Some(stop_reason);
            }
        });
    }

    /// Ends an answer whose rest was lost after so many characters. The real CLI estimates the
    /// output tokens, which it was not told: one for three characters.
    pub(super) fn abandon_message(&self, message: ApiMessage, characters: usize) {
        let ApiMessage { id, blocks, usage, .. } = message;
        let abandoned = json!({"api_message_id": id, "from_block_index": blocks});
        let others = json!({"abandoned_blocks": abandoned});
        self.say_event_with(&id, json!({"type": "message_stop"}), others);
        let estimated = u64::try_from((characters + 1) / 3).unwrap_or(u64::MAX);
        self.count(Usage { output: 0, ..usage }, estimated);
    }

    /// Counts the tokens of an answer, with this output for the whole conversation.
    fn count(&self, usage: Usage, output: u64) {
        let add = |tokens: &mut (u64, u64), output| {
            *tokens = (tokens.0 + usage.input, tokens.1 + output);
        };
        let model = self.asked_model();
        add(self.state().tokens.entry(model).or_default(), output);
        // The answer that uses the budget up is not counted in its turn.
        let is_last = self.used_up_budget().is_some();
        self.with_turn(|turn| {
            if turn.is_main() {
                turn.unfinished = None;
                if !is_last {
                    add(&mut turn.tokens, usage.output);
                }
            }
        });
    }

    fn message(&self, id: &str, model: &str, content: Value, usage: Usage) -> Value {
        json!({
            "id": id, "type": "message", "role": "assistant", "model": model, "content": content,
            "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": usage.input, "output_tokens": 0},
        })
    }

    /// The names of a tool for people; `None` for a built-in one.
    fn tool_use_meta(&self, block: &Value) -> Option<Value> {
        let name = str(&block["name"]);
        name.starts_with("mcp__").then(|| {
            let mut meta = json!({"id": block["id"], "display_name": display_name(name)});
            if let Some((server, tool)) = self.find_tool(name) {
                meta["server_display_name"] = self.own_name(server).into();
                meta["tool_name"] = tool.name.into();
            }
            meta
        })
    }

    /// Reports tokens of thinking, if they are more than are known.
    fn say_thinking_tokens_of(&self, text: &str, known: usize) {
        let tokens = estimate(text);
        if tokens <= known {
            return;
        }
        let prompt = self.with_turn(|turn| turn.prompt().cloned()).flatten();
        self.say_message(json!({
            "type": "system", "subtype": "thinking_tokens", "estimated_tokens": tokens,
            "estimated_tokens_delta": tokens - known, "user_message_uuid": prompt,
        }));
    }

    fn say_event(&self, id: &str, event: Value) {
        self.say_event_with(id, event, json!({}));
    }

    fn say_event_with(&self, id: &str, event: Value, others: Value) {
        // Those of subagents are not passed on.
        if !self.setup.partial || self.agent().is_some() {
            return;
        }
        let is_first = event["type"] == "message_start"
            && self.with_turn(|turn| !turn.is_attributed) == Some(true);
        let mut message = json!({
            "type": "stream_event", "event": event,
            "parent_tool_use_id": null, "api_message_id": id,
        });
        merge(&mut message, others);
        // The first event of a turn also has the id of the prompt.
        if is_first {
            message["owed_rows"] = json!([]);
            self.say_attributed(message, false);
        } else {
            self.say_message(message);
        }
    }

    /// Sends a message with the id of the prompt, unless an answer has carried it already.
    pub(super) fn say_attributed(&self, mut message: Value, is_answer: bool) {
        let prompts = self.with_turn(|turn| {
            let is_new = !turn.is_attributed && turn.is_main();
            let prompts = is_new.then(|| turn.prompt().cloned().zip(Some(turn.prompts.clone())));
            turn.is_attributed |= is_answer && turn.is_main();
            prompts.flatten()
        });
        if let Some((prompt, prompts)) = prompts.flatten() {
            message["user_message_uuids"] = json!(prompts);
            message["user_message_uuid"] = prompt.into();
        }
        self.say_message(message);
    }
}

/// The tokens of a text, as the real CLI estimates them: one for four characters.
pub(super) fn estimate(text: &str) -> usize {
    (text.chars().count() + 2) / 4
}
