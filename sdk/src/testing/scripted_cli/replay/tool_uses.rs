//! The tool calls in what the CLI says.

use std::collections::HashMap;

use serde_json::Value;

use super::super::json::{list, str};
use super::super::recorder::PlayedCall;

/// The calls that have no result yet, by their ids: name and input.
#[derive(Debug, Default)]
pub(super) struct ToolUses(HashMap<String, (String, Value)>);

impl ToolUses {
    /// Takes a message. Gives the calls whose results it has.
    pub(super) fn take(&mut self, message: &Value) -> Vec<PlayedCall> {
        let blocks = list(&message["message"]["content"]);
        if message["type"] == "assistant" {
            self.0.extend(blocks.filter(|block| block["type"] == "tool_use").map(|block| {
                let call = (str(&block["name"]).to_owned(), block["input"].clone());
                (str(&block["id"]).to_owned(), call)
            }));
            return Vec::new();
        }
        let results = blocks.filter(|block| block["type"] == "tool_result");
        let calls = results.filter_map(|block| {
            let (name, input) = self.0.remove(str(&block["tool_use_id"]))?;
            Some(PlayedCall {
                name,
                input: Some(input),
                text: super::super::json::text(&block["content"]),
                content: block["content"].clone(),
                is_error: block["is_error"] == true,
            })
        });
        calls.collect()
    }
}
