//! The ids of the SDK, which are others in each run.

use std::collections::HashMap;

use serde_json::Value;

use super::super::json::str;

/// What the ids of the recording are in this run.
#[derive(Debug, Default)]
pub(super) struct Ids {
    requests: HashMap<String, String>,
    prompts: HashMap<String, String>,
}

impl Ids {
    /// Whether a message may be this recorded one: they are of the same kind, and answers are for
    /// the same request.
    pub(super) fn fit(&self, recorded: &Value, message: &Value) -> bool {
        let same = |pointer| recorded.pointer(pointer) == message.pointer(pointer);
        same("/type")
            && match str(&recorded["type"]) {
                "control_request" => {
                    let parts = ["/request/subtype", "/request/server_name"];
                    parts.into_iter().all(same) && same("/request/message/method")
                }
                "control_response" => same("/response/request_id"),
                "control_cancel_request" => {
                    let id = str(&recorded["request_id"]);
                    self.requests.get(id).map_or(id, String::as_str) == str(&message["request_id"])
                }
                _ => true,
            }
    }

    /// A message was found to be this recorded one.
    pub(super) fn learn(&mut self, recorded: &Value, message: &Value) {
        let (ids, name) = match str(&recorded["type"]) {
            "control_request" => (&mut self.requests, "request_id"),
            "user" => (&mut self.prompts, "uuid"),
            _ => return,
        };
        ids.insert(str(&recorded[name]).to_owned(), str(&message[name]).to_owned());
    }

    /// Puts the ids of this run into a message of the CLI.
    pub(super) fn put_into(&self, message: &mut Value) {
        if message["type"] == "control_response"
            && let Some(id) = self.requests.get(str(&message["response"]["request_id"]))
        {
            message["response"]["request_id"] = id.as_str().into();
        }
        self.put_prompts(message);
    }

    fn put_prompts(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(id) = self.prompts.get(text) {
                    text.clone_from(id);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.put_prompts(item)),
            Value::Object(all) => all.values_mut().for_each(|value| self.put_prompts(value)),
            _ => {}
        }
    }
}
