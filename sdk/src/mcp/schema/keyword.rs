//! What stands under the keywords of a schema.

use schemars::Schema;
use serde_json::{Map, Value};

use crate::mcp::places::Places;

/// Sets a keyword. The code around each `insert` takes longer to compile than a call.
pub(crate) fn set(schema: &mut Map<String, Value>, keyword: &str, value: Value) {
    schema.insert(keyword.to_owned(), value);
}

/// The value under a keyword. A schema has few keywords, and to compare them is faster than to hash
/// one.
pub(crate) fn get<'a>(schema: &'a Map<String, Value>, keyword: &str) -> Option<&'a Value> {
    schema.iter().find(|(key, _)| *key == keyword).map(|(_, value)| value)
}

/// The list under a keyword, to be changed.
pub(crate) fn list_mut<'a>(
    schema: &'a mut Map<String, Value>,
    keyword: &str,
) -> Option<&'a mut Vec<Value>> {
    get_mut(schema, keyword)?.as_array_mut()
}

/// The value under a keyword, to be changed.
pub(crate) fn get_mut<'a>(
    schema: &'a mut Map<String, Value>,
    keyword: &str,
) -> Option<&'a mut Value> {
    schema.iter_mut().find(|(key, _)| *key == keyword).map(|(_, value)| value)
}

/// An object with one member.
pub(crate) fn only(key: &str, value: Value) -> Value {
    let mut object = Map::new();
    set(&mut object, key, value);
    Value::Object(object)
}

/// The object under a keyword.
pub(crate) fn object<'a>(
    schema: &'a Map<String, Value>,
    keyword: &str,
) -> Option<&'a Map<String, Value>> {
    get(schema, keyword).and_then(Value::as_object)
}

/// The text under a keyword.
pub(crate) fn text<'a>(schema: &'a Map<String, Value>, keyword: &str) -> Option<&'a str> {
    get(schema, keyword).and_then(Value::as_str)
}

/// True if a keyword has this truth as its value.
pub(crate) fn is(schema: &Map<String, Value>, keyword: &str, truth: bool) -> bool {
    get(schema, keyword).and_then(Value::as_bool) == Some(truth)
}

/// The values under `const` or `enum`.
pub(crate) fn choices(schema: &Map<String, Value>) -> Option<&[Value]> {
    match (get(schema, "const"), get(schema, "enum")) {
        (Some(only), _) => Some(std::slice::from_ref(only)),
        (None, Some(Value::Array(values))) => Some(values),
        _ => None,
    }
}

/// The list under a keyword; empty for any other value.
pub(crate) fn items<'a>(schema: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    get(schema, keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A list as it is, any other value as a list of one: `type` has one type or several.
pub(crate) fn one_or_more(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

/// True if a schema names this type.
pub(crate) fn has_type(schema: &Map<String, Value>, name: &str) -> bool {
    get(schema, "type").is_some_and(|kind| has_name(one_or_more(kind), name))
}

/// What a reference in a schema leads to.
pub(crate) fn target<'a>(root: &'a Value, schema: &Map<String, Value>) -> Option<&'a Value> {
    pointed(root, text(schema, "$ref")?)
}

/// The same by the text of the reference, in which schemars percent-encodes what no URI has.
pub(crate) fn pointed<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let root: &Schema = root.try_into().ok()?;
    root.pointer(Some(reference).filter(|it| it.starts_with('#'))?)
}

/// True if a name is in a list.
pub(crate) fn has_name(list: &[Value], name: &str) -> bool {
    list.iter().any(|other| other == name)
}

/// The names in a list.
pub(crate) fn names(list: &[Value]) -> Places<'_> {
    let mut names = Places::default();
    for name in list {
        if let Value::String(name) = name {
            names.add(name.into());
        }
    }
    names
}
