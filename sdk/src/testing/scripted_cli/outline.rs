//! An outline of the recorded messages for people: `SDK` or `CLI` and one message a line.

use std::collections::HashMap;

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
    for (side, line) in lines {
        let shown = match line["type"].as_str().unwrap_or_default() {
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

fn id(line: &Value) -> &str {
    line["request_id"].as_str().unwrap_or_default()
}

/// The name of a request, and its details.
fn request(request: &Value) -> (String, String) {
    let subtype = request["subtype"].as_str().unwrap_or_default().to_owned();
    match subtype.as_str() {
        "initialize" => (subtype, String::new()),
        "mcp_message" => {
            let (server, message) =
                (request["server_name"].as_str().unwrap_or_default(), &request["message"]);
            let what = format!("{server}: {}", message["method"].as_str().unwrap_or_default());
            let detail = match message["method"].as_str() {
                Some("tools/call") => {
                    format!(
                        " {} {}",
                        message["params"]["name"].as_str().unwrap_or_default(),
                        message["params"]["arguments"]
                    )
                }
                Some("initialize") | None => String::new(),
                Some(_) => {
                    message.get("params").map(|params| format!(" {params}")).unwrap_or_default()
                }
            };
            (what, detail)
        }
        "hook_callback" => (
            format!("hook {}", request["input"]["hook_event_name"].as_str().unwrap_or_default()),
            String::new(),
        ),
        "can_use_tool" => (
            subtype,
            format!(" {} {}", request["tool_name"].as_str().unwrap_or_default(), request["input"]),
        ),
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
        return format!("  refuses {what}: {}", response["error"].as_str().unwrap_or_default());
    }
    let answer = &response["response"];
    let detail = match (answer.get("mcp_response"), what) {
        (Some(answer), _) if what.ends_with(": tools/call") => {
            format!(": {}{}", answer["result"], answer["error"]).replace("null", "")
        }
        (Some(_), _) | (None, "initialize") => String::new(),
        (None, "mcp_status" | "get_context_usage") => String::new(),
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
            blocks => format!(
                "{kind}: {}",
                blocks.as_array().into_iter().flatten().map(block).collect::<Vec<_>>().join(", ")
            ),
        },
        "system" => match line["subtype"].as_str().unwrap_or_default() {
            "session_state_changed" => {
                format!("state {}", line["state"].as_str().unwrap_or_default())
            }
            "init" => format!("system/init {}", line["tools"]),
            "permission_denied" => format!(
                "system/permission_denied {}",
                line["tool_name"].as_str().unwrap_or_default()
            ),
            subtype => format!("system/{subtype}"),
        },
        "stream_event" => {
            format!("stream_event {}", line["event"]["type"].as_str().unwrap_or_default())
        }
        "result" => {
            let text = line["result"].as_str().or(line["errors"][0].as_str()).unwrap_or_default();
            format!(
                "result {}, {} turns: {text}",
                line["subtype"].as_str().unwrap_or_default(),
                line["num_turns"]
            )
        }
        _ => kind.to_owned(),
    }
}

fn block(block: &Value) -> String {
    match block["type"].as_str().unwrap_or_default() {
        "text" => block["text"].as_str().unwrap_or_default().to_owned(),
        "tool_use" => format!("{} {}", block["name"].as_str().unwrap_or_default(), block["input"]),
        "tool_result" => {
            let mark = if block["is_error"] == true { "error " } else { "" };
            format!("{mark}{}", block["content"])
        }
        kind => kind.to_owned(),
    }
}
