//! Results of tools as the model gets them.

use serde_json::{Map, Value, json};

use super::json::{list, str, text};

/// The types of images that the Messages API takes.
const IMAGES: [&str; 4] = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/// The members of a link that the CLI reports.
const OF_LINK: [&str; 6] = ["uri", "name", "title", "description", "mimeType", "size"];

/// The content of a result, in the form of the Messages API. If there is structured content, its
/// JSON takes the place of the texts.
pub(super) fn for_model(result: &Value, server: &str) -> Value {
    let structured = structured(result).map(Value::to_string);
    let blocks = list(&result["content"]);
    let kept = blocks.filter(|block| structured.is_none() || block["type"] != "text");
    let mut content: Vec<_> = kept.flat_map(|block| blocks_for_model(block, server)).collect();
    match (structured, &result["content"]) {
        (Some(json), _) if content.is_empty() => json.into(),
        (Some(json), _) => {
            content.push(text_block(json));
            content.into()
        }
        (None, Value::Array(_)) => content.into(),
        (None, other) => other.clone(),
    }
}

/// A content block of MCP as blocks of the Messages API. The real CLI stores what is binary, and
/// says where, also in a line that it adds to an image; here nothing is stored.
fn blocks_for_model(block: &Value, server: &str) -> Vec<Value> {
    let text = match block["type"].as_str() {
        Some("image") => match image(&block["data"], &block["mimeType"]) {
            Some(image) => return vec![image],
            None => {
                format!("[Image from {server}] {}", stored(&block["data"], &block["mimeType"]))
            }
        },
        Some("text") => str(&block["text"]).to_owned(),
        Some("resource_link") => {
            let link = format!("[Resource link: {}] {}", str(&block["name"]), str(&block["uri"]));
            match str(&block["description"]) {
                "" => link,
                description => format!("{link} ({description})"),
            }
        }
        Some("resource") => {
            let resource = &block["resource"];
            let (blob, media_type) = (&resource["blob"], &resource["mimeType"]);
            let from = format!("[Resource from {server} at {}] ", str(&resource["uri"]));
            match (resource["text"].as_str(), image(blob, media_type)) {
                (Some(text), _) => from + text,
                (None, Some(image)) => return vec![text_block(from), image],
                (None, None) => from + &stored(blob, media_type),
            }
        }
        Some("audio") => {
            format!("[Audio from {server}] {}", stored(&block["data"], &block["mimeType"]))
        }
        _ => format!("[{}]", str(&block["type"])),
    };
    vec![text_block(text)]
}

fn text_block(text: String) -> Value {
    json!({"type": "text", "text": text})
}

/// The block of an image; `None` if it is none that the Messages API takes.
fn image(base64: &Value, media_type: &Value) -> Option<Value> {
    let source = json!({"type": "base64", "media_type": media_type, "data": base64});
    let image = json!({"type": "image", "source": source});
    IMAGES.contains(&str(media_type)).then_some(image)
}

fn stored(base64: &Value, media_type: &Value) -> String {
    let base64 = str(base64);
    let bytes = base64.trim_end_matches('=').len() * 3 / 4;
    format!("Binary content ({}, {bytes} bytes) saved to a file", str(media_type))
}

/// What the CLI reports of a result whose `content` the model gets.
pub(super) fn report(result: &Value, content: &Value) -> Value {
    let mut others = Map::new();
    if let Some(structured) = structured(result) {
        others.insert("structuredContent".to_owned(), structured.clone());
    }
    let links = list(&result["content"]).filter(|block| block["type"] == "resource_link");
    let links: Vec<_> = links.map(link).collect();
    if !links.is_empty() {
        others.insert("resourceLinks".to_owned(), links.into());
    }
    if others.is_empty() {
        return content.clone();
    }
    others.insert("content".to_owned(), content.clone());
    others.into()
}

fn link(block: &Value) -> Value {
    let told =
        OF_LINK.iter().filter_map(|name| Some(((*name).to_owned(), block.get(name)?.clone())));
    Value::Object(told.collect())
}

/// The structured content of a result; that of an error is not passed on.
fn structured(result: &Value) -> Option<&Value> {
    result.get("structuredContent").filter(|_| result["isError"] != true)
}

/// What the model is told of an error with this content: its texts and links.
pub(super) fn of_error(content: &Value, server: &str) -> String {
    let told = list(content)
        .filter(|block| ["text", "resource_link"].contains(&str(&block["type"])))
        .flat_map(|block| blocks_for_model(block, server));
    let told: Value = told.collect::<Vec<_>>().into();
    let told = if content.is_string() { content } else { &told };
    let has_text = told.is_string() || list(told).next().is_some();
    let text = text(told);
    match (has_text, text.trim().is_empty()) {
        (false, _) => "Unknown error".to_owned(),
        (true, true) => "Command failed with no output".to_owned(),
        (true, false) => text,
    }
}

/// What the model gets of a result that may have nothing in it.
pub(super) fn or_nothing(content: Value, tool: &str) -> Value {
    let is_blank = |text: &Value| text.as_str().is_some_and(|text| text.trim().is_empty());
    let is_nothing = match &content {
        Value::Array(blocks) => blocks.iter().all(|block| is_blank(&block["text"])),
        text => text.is_null() || is_blank(text),
    };
    match is_nothing {
        true => format!("({tool} completed with no output)").into(),
        false => content,
    }
}
