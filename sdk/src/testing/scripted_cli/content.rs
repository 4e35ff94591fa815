//! Results of tools as the model gets them.

use serde_json::{Value, json};

use super::json::{list, str};

/// A content block of MCP as one of the Messages API. The real CLI stores what is binary, and says
/// where, also in a line that it adds to an image; here nothing is stored.
pub(super) fn for_model(block: &Value, server: &str) -> Value {
    let text = match block["type"].as_str() {
        Some("image") => {
            let (media_type, data) = (&block["mimeType"], &block["data"]);
            let source = json!({"type": "base64", "media_type": media_type, "data": data});
            return json!({"type": "image", "source": source});
        }
        Some("text") => str(&block["text"]).to_owned(),
        Some("resource_link") => {
            format!("[Resource link: {}] {}", str(&block["name"]), str(&block["uri"]))
        }
        Some("resource") => {
            let resource = &block["resource"];
            let content = match resource["text"].as_str() {
                Some(text) => text.to_owned(),
                None => stored(&resource["blob"], &resource["mimeType"]),
            };
            format!("[Resource from {server} at {}] {content}", str(&resource["uri"]))
        }
        Some("audio") => {
            format!("[Audio from {server}] {}", stored(&block["data"], &block["mimeType"]))
        }
        _ => format!("[{}]", str(&block["type"])),
    };
    json!({"type": "text", "text": text})
}

fn stored(base64: &Value, media_type: &Value) -> String {
    let base64 = str(base64);
    let bytes = base64.trim_end_matches('=').len() * 3 / 4;
    format!("Binary content ({}, {bytes} bytes) saved to a file", str(media_type))
}

/// The links in the content of a result, as the CLI reports them.
pub(super) fn links(content: &Value) -> Vec<Value> {
    let links = list(content).filter(|block| block["type"] == "resource_link");
    links.map(|link| json!({"name": link["name"], "uri": link["uri"]})).collect()
}

/// What the model gets of a result that may have nothing in it.
pub(super) fn or_nothing(content: Value, tool: &str) -> Value {
    let is_blank = |text: &Value| text.as_str().is_some_and(|text| text.trim().is_empty());
    let is_nothing = match &content {
        Value::Array(blocks) => blocks.iter().all(|block| is_blank(&block["text"])),
        text => is_blank(text),
    };
    match is_nothing {
        true => format!("({tool} completed with no output)").into(),
        false => content,
    }
}
