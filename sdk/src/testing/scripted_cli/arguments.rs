//! Arguments of the model that the CLI converts before anybody sees them.

use serde_json::Value;

use super::json::list;
use crate::mcp::schema::keyword::{has_type, target};

/// How far references and alternatives are followed.
const DEPTH: u8 = 4;

/// Converts texts that are the JSON of a value which the schema wants there, where it takes no
/// text. Of numbers only the usual form counts: `3.5`, but not `3.50` or `1e2`.
pub(super) fn converted(schema: &Value, mut input: Value) -> Value {
    for (name, value) in input.as_object_mut().into_iter().flatten() {
        let wanted = &schema["properties"][name];
        let Some(text) = value.as_str().filter(|_| !takes(schema, wanted, "string", DEPTH)) else {
            continue;
        };
        let Ok(read) = serde_json::from_str::<Value>(text) else { continue };
        let kinds: &[&str] = match &read {
            Value::Array(_) => &["array"],
            Value::Bool(_) => &["boolean"],
            Value::Object(_) => &["object"],
            Value::Number(number) if number.to_string() != text => &[],
            Value::Number(number) if number.is_f64() => &["number"],
            Value::Number(_) => &["integer", "number"],
            Value::Null | Value::String(_) => &[],
        };
        if kinds.iter().any(|kind| takes(schema, wanted, kind, DEPTH)) {
            *value = read;
        }
    }
    input
}

/// Whether a schema names this type, or one that it refers to or offers.
fn takes(root: &Value, schema: &Value, kind: &str, depth: u8) -> bool {
    let (Some(members), Some(depth)) = (schema.as_object(), depth.checked_sub(1)) else {
        return false;
    };
    let offered = ["anyOf", "oneOf"].iter().flat_map(|name| list(&schema[*name]));
    has_type(members, kind)
        || target(root, members).into_iter().chain(offered).any(|it| takes(root, it, kind, depth))
}
