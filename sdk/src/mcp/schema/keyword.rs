//! What stands under the keywords of a schema.

use serde_json::{Map, Value};

/// The list under a keyword; empty for any other value.
pub(super) fn items<'a>(schema: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}
