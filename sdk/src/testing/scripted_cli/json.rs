//! Reading and joining JSON values.

use serde_json::Value;

/// The text of a string; empty for any other value.
pub(super) fn str(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The elements of an array; none for any other value.
pub(super) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Adds the members of an object to another one.
pub(super) fn merge(object: &mut Value, members: Value) {
    if let (Value::Object(object), Value::Object(mut members)) = (object, members) {
        object.append(&mut members);
    }
}

/// The text of a content, which is a text or a list of blocks.
pub(super) fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        blocks => {
            let texts = list(blocks).filter_map(|block| block["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
    }
}
