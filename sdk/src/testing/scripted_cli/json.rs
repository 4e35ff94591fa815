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
