//! What stands under the keywords of a schema.

use serde_json::{Map, Value};

use crate::mcp::places::Places;

/// The list under a keyword; empty for any other value.
pub(super) fn items<'a>(schema: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A list as it is, any other value as a list of one: `type` has one type or several.
pub(super) fn one_or_more(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

/// The names in a list.
pub(super) fn names(list: &[Value]) -> Places<'_> {
    let mut names = Places::default();
    for name in list {
        if let Value::String(name) = name {
            names.add(name.into());
        }
    }
    names
}
