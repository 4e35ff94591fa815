//! The tool calls in what the CLI says.

use std::collections::HashMap;

use serde_json::Value;

use super::super::json::{list, str, text};
use super::super::recorder::{PlayedCall, Recorder};

/// The calls that have no result yet, by their ids: name and input.
#[derive(Debug, Default)]
pub(super) struct ToolUses(HashMap<String, (String, Value)>);

impl ToolUses {
    /// Takes a message, and records the calls in it and those whose results it has.
    pub(super) fn take(&mut self, message: &Value, recorder: &Recorder) {
        for block in list(&message["message"]["content"]) {
            match (str(&message["type"]), str(&block["type"])) {
                ("assistant", "tool_use") => {
                    let name = str(&block["name"]);
                    recorder.called(name);
                    let call = (name.to_owned(), block["input"].clone());
                    self.0.insert(str(&block["id"]).to_owned(), call);
                }
                ("user", "tool_result") => {
                    let Some((name, input)) = self.0.remove(str(&block["tool_use_id"])) else {
                        continue;
                    };
                    recorder.call(PlayedCall {
                        name,
                        input: Some(input),
                        text: text(&block["content"]),
                        content: block["content"].clone(),
                        is_error: block["is_error"] == true,
                    });
                }
                _ => {}
            }
        }
    }
}
