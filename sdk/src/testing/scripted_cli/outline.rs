//! An outline of the recorded messages for people: `SDK` or `CLI` and one message a line.

use std::collections::HashMap;

use super::json::{list, str};
use serde_json::Value;

/// The side that wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Sdk,
    Cli,
}

pub(super) fn outline(lines: &[(Side, Value)]) -> String {
    // A response only has the id of its request, so the requests are kept.
    let mut asked = HashMap::new();
    let mut text = String::new();
    for (side, line) in lines.iter().filter(|(_, line)| !is_news(line)) {
        let shown = match str(&line["type"]) {
            "control_request" => {
                let (what, detail) = request(&line["request"]);
                asked.insert(id(line), what.clone());
                format!("{what}{detail}")
            }
            "control_response" => response(&asked, &line["response"]),
            "control_cancel_request" => {
                format!("withdraws {}", asked.get(id(line)).map_or("a request", String::as_str))
            }
            kind => message(kind, line),
        };
        let side = match side {
            Side::Sdk => "SDK",
            Side::Cli => "CLI",
        };
        text.push_str(&format!("{side} {shown}\n"));
    }
    text
}

/// News of prompts and of thinking, and what a store is told again, which would hide what happens.
fn is_news(line: &Value) -> bool {
    let (kind, subtype) = (str(&line["type"]), str(&line["subtype"]));
    matches!(kind, "command_lifecycle" | "transcript_mirror") || subtype == "thinking_tokens"
}

fn id(line: &Value) -> &str {
    str(&line["request_id"])
}

/// The name of a request, and its details.
fn request(request: &Value) -> (String, String) {
    let subtype = str(&request["subtype"]).to_owned();
    match subtype.as_str() {
        "initialize" => (subtype, String::new()),
        "mcp_message" => {
            let (server, message) = (str(&request["server_name"]), &request["message"]);
            let what = format!("{server}: {}", str(&message["method"]));
            let detail = match message["method"].as_str() {
                Some("tools/call") => {
                    let params = &message["params"];
                    format!(" {} {}", str(&params["name"]), params["arguments"])
                }
                Some("initialize") | None => String::new(),
                Some(_) => message.get("params").map_or_else(String::new, |it| format!(" {it}")),
            };
            (what, detail)
        }
        "hook_callback" => {
            (format!("hook {}", str(&request["input"]["hook_event_name"])), String::new())
        }
        "can_use_tool" => {
            (subtype, format!(" {} {}", str(&request["tool_name"]), request["input"]))
        }
        _ => {
            let others =
                request.as_object().into_iter().flatten().filter(|(name, _)| *name != "subtype");
            (subtype, others.map(|(name, value)| format!(" {name}={value}")).collect())
        }
    }
}

fn response(asked: &HashMap<&str, String>, response: &Value) -> String {
    let what = asked.get(id(response)).map_or("nothing", String::as_str);
    if response["subtype"] != "success" {
        return format!("  refuses {what}: {}", str(&response["error"]));
    }
    let answer = &response["response"];
    let detail = match (answer.get("mcp_response"), what) {
        (Some(answer), _) if what.ends_with(": tools/call") => {
            let said = ["result", "error"].into_iter().find_map(|name| answer.get(name));
            said.map(|said| format!(": {said}")).unwrap_or_default()
        }
        (Some(_), _) | (None, "initialize" | "mcp_status" | "get_context_usage") => String::new(),
        (None, _) if answer.is_null() => String::new(),
        (None, _) => format!(": {answer}"),
    };
    format!("  answers {what}{detail}")
}

fn message(kind: &str, line: &Value) -> String {
    let content = &line["message"]["content"];
    match kind {
        "user" | "assistant" => match content {
            Value::String(text) => format!("{kind}: {text}"),
            blocks => format!("{kind}: {}", list(blocks).map(block).collect::<Vec<_>>().join(", ")),
        },
        "system" => match str(&line["subtype"]) {
            "session_state_changed" => format!("state {}", str(&line["state"])),
            "init" => format!("system/init {}", line["tools"]),
            "permission_denied" => format!("system/permission_denied {}", str(&line["tool_name"])),
            subtype => format!("system/{subtype}"),
        },
        "stream_event" => format!("stream_event {}", str(&line["event"]["type"])),
        "result" => {
            let text = line["result"].as_str().unwrap_or(str(&line["errors"][0]));
            format!("result {}, {} turns: {text}", str(&line["subtype"]), line["num_turns"])
        }
        _ => kind.to_owned(),
    }
}

fn block(block: &Value) -> String {
    match str(&block["type"]) {
        "text" => str(&block["text"]).to_owned(),
        "tool_use" => format!("{} {}", str(&block["name"]), block["input"]),
        "tool_result" => {
            let mark = if block["is_error"] == true { "error " } else { "" };
            format!("{mark}{}", block["content"])
        }
        kind => kind.to_owned(),
    }
}
