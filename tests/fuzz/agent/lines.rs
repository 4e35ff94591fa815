//! Lines of a CLI: valid ones, and damaged ones.

use serde_json::Value;

use super::cli::Says;
use super::inputs;
use crate::damage::damage;
use crate::dice::Dice;

/// The mark of ids and messages that are not damaged; no damage makes it.
pub(super) const MARK: &str = "#!#";

/// Requests that are answered, without their ids.
pub(super) const REQUESTS: [&str; 24] = [
    r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t"}"#,
    r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{},"permission_suggestions":[{"type":"x"}]}"#,
    r#"{"subtype":"can_use_tool","input":{}}"#,
    r#"{"subtype":"can_use_tool","tool_name":"Bash","input":7}"#,
    r#"{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"PreToolUse","tool_name":"Bash"}}"#,
    r#"{"subtype":"hook_callback","callback_id":"hook_0","input":[]}"#,
    r#"{"subtype":"hook_callback","callback_id":"no such"}"#,
    r#"{"subtype":"hook_callback"}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"late","arguments":{}}}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"falls"}}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"add","arguments":{"a":"x"}}}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","id":ID,"method":"tools/list"}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","id":7,"method":"ping"}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":null}"#,
    r#"{"subtype":"mcp_message","server_name":"no such","message":{}}"#,
    r#"{"subtype":"mcp_message"}"#,
    r#"{"subtype":"elicitation","message":"?"}"#,
    r#"{"subtype":"elicitation","mcp_server_name":"shop","message":"?","mode":"form","requested_schema":{"type":"object","properties":{"name":{"type":"string"}}},"property_order":["name"]}"#,
    r#"{"subtype":"elicitation","message":"?","mode":"url","url":"https://a.example/","elicitation_id":"e"}"#,
    r#"{"subtype":"no such"}"#,
    r#"{}"#,
];
const FOR_OTHERS: &str = r#"{"subtype":"request_user_dialog"}"#;
/// They end when they are cancelled.
const STUCK: [&str; 2] = [
    r#"{"subtype":"hook_callback","callback_id":"hook_1","input":{"hook_event_name":"PreToolUse","tool_name":"Read"}}"#,
    r#"{"subtype":"mcp_message","server_name":"toy","message":{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"wait"}}}"#,
];
/// Messages that are delivered.
const MESSAGES: [&str; 10] = [
    r#""type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"t","name":"n","input":{}}]},"parent_tool_use_id":null"#,
    r#""type":"assistant","message":{"content":7},"error":{"a":[1]}"#,
    r#""type":"user","message":{"role":"user","content":"hi"},"uuid":"u""#,
    r#""type":"system","subtype":"init","session_id":"s","tools":["a"],"cwd":"/x""#,
    r#""type":"system","subtype":"task_started","task_id":"t","task_type":"local""#,
    r#""type":"system","subtype":"task_updated","task_id":"t","patch":{"status":"completed"}"#,
    r#""type":"result","subtype":"success","is_error":false,"result":"done","num_turns":1"#,
    r#""type":"stream_event","event":{"type":"content_block_delta","delta":{"text":"x"}}"#,
    r#""type":"unknown","a":{"b":[1,2.5e3,"\ud83d\ude00",null]}"#,
    r#""no":"type""#,
];
/// Lines that are neither requests nor delivered.
const OTHERS: [&str; 8] = [
    r#"{"type":"control_response","response":{"subtype":"success","request_id":"stray_9","response":{}}}"#,
    r#"{"type":"control_response","response":{"subtype":"error","request_id":7,"error":null}}"#,
    r#"{"type":"control_response"}"#,
    r#"{"type":"control_request"}"#,
    r#"{"type":"control_cancel_request","request_id":"c1"}"#,
    r#"{"type":"keep_alive"}"#,
    "no JSON",
    "[1]",
];

/// What a line must lead to.
#[derive(Debug, PartialEq)]
pub(super) enum Effect {
    /// One answer with this id.
    Answer(String),
    /// None until the request is cancelled.
    Stuck(String),
    /// A request that was stuck is cancelled and never answered.
    Cancelled(String),
    /// This message is delivered as it is.
    Delivered,
    /// One answer at most.
    Damaged,
    Nothing,
}

/// The generator.
pub(super) struct Lines {
    dice: Dice,
    /// Requests with all their members.
    bodies: Vec<String>,
    number: u64,
    stuck: Vec<String>,
}

impl Lines {
    pub(super) fn new(seed: u64) -> Self {
        let bodies = inputs::bodies();
        Self { dice: Dice::new(seed), bodies, number: 0, stuck: Vec::new() }
    }

    fn damaged(&mut self) -> (Vec<u8>, Effect) {
        let id = format!("m{}", self.number);
        let mut line = match self.dice.roll(4) {
            0 => format!("{{{}}}", self.dice.pick(&MESSAGES)).into_bytes(),
            1 => self.dice.pick(&OTHERS).into(),
            _ => self.any_request(&id),
        };
        damage(&mut self.dice, &mut line);
        line.retain(|byte| *byte != b'\n');
        let effect = match must_be_answered(&line, &id) {
            true => Effect::Answer(id),
            false => Effect::Damaged,
        };
        (line, effect)
    }

    fn any_request(&mut self, id: &str) -> Vec<u8> {
        if !self.dice.one_in(4) {
            return self.request(id, &REQUESTS);
        }
        let at = self.dice.roll(self.bodies.len());
        let body = self.bodies[at].clone();
        self.request(id, &[&body])
    }

    fn request(&mut self, id: &str, bodies: &[&str]) -> Vec<u8> {
        // An id in use is refused, which would end a call that is stuck. So such a call has an id
        // that no damage makes of the others' numbers.
        let inner = match (bodies == STUCK, self.dice.one_in(30)) {
            (true, _) => format!("\"w{}\"", self.number),
            (false, true) => "1".to_owned(),
            (false, false) => self.number.to_string(),
        };
        let body = self.dice.pick(bodies).replace("ID", &inner);
        format!(r#"{{"type":"control_request","request_id":"{id}","request":{body}}}"#).into_bytes()
    }
}

impl Says for Lines {
    fn next(&mut self) -> (Vec<u8>, Effect) {
        self.number += 1;
        let number = self.number;
        if self.stuck.len() > 20 {
            let at = self.dice.roll(self.stuck.len());
            let id = self.stuck.swap_remove(at);
            return (cancel(&id), Effect::Cancelled(id));
        }
        match self.dice.roll(20) {
            0..=8 => {
                let id = format!("{MARK}{number}");
                (self.any_request(&id), Effect::Answer(id))
            }
            9..=13 => {
                let message = self.dice.pick(&MESSAGES);
                let line = format!("{{{message},\"seq\":\"{MARK}{number}\"}}");
                (line.into_bytes(), Effect::Delivered)
            }
            14 => (self.dice.pick(&OTHERS).into(), Effect::Nothing),
            15 if self.dice.one_in(20) => {
                let id = format!("{MARK}{number}");
                self.stuck.push(id.clone());
                (self.request(&id, &STUCK), Effect::Stuck(id))
            }
            16 => (self.request(&format!("other{number}"), &[FOR_OTHERS]), Effect::Nothing),
            _ => self.damaged(),
        }
    }

    fn last(&mut self) -> Option<(Vec<u8>, Effect)> {
        let id = self.stuck.pop()?;
        Some((cancel(&id), Effect::Cancelled(id)))
    }
}

fn cancel(id: &str) -> Vec<u8> {
    format!(r#"{{"type":"control_cancel_request","request_id":"{id}"}}"#).into_bytes()
}

/// True if serde_json reads a damaged line as a request with that id, and neither a second member
/// of a name nor the damage itself makes it another one. It may have no body that can be read:
/// then it is refused.
pub(super) fn must_be_answered(line: &[u8], id: &str) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let is_other = ["\\", "\"hook_1\"", "wait", "dialog"].iter().any(|part| text.contains(part));
    let names = ["\"request_id\"", "\"request\"", "\"subtype\"", "\"control_request\""];
    if is_other || names.iter().any(|name| text.matches(name).count() > 1) {
        return false;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    // What is inside may have types of its own, but the line itself has one.
    let types = text.matches("\"type\"").count();
    let inside = value["request"].to_string().matches("\"type\"").count();
    types == inside + 1 && value["type"] == "control_request" && value["request_id"] == id
}

/// The texts that a damaged line may give as the id of a request.
pub(super) fn ids(line: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(line);
    let id = |(at, name): (usize, &str)| {
        let value = text[at + name.len()..].trim_start().strip_prefix(':')?;
        serde_json::Deserializer::from_str(value).into_iter::<String>().next()?.ok()
    };
    // The quote in front may also be the end of an id.
    text.match_indices("request_id\"").filter_map(id).collect()
}
