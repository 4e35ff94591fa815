//! Output schemas in the legacy era, in which structured content is always an object.

use serde_json::{Map, Value};

use super::keyword::{only, set};

/// True if every value of the schema is an object, as the legacy era demands of output schemas.
pub(crate) fn is_object(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// The schema of `{"result": …}` around values of `schema`. Definitions stay at the root, to which
/// references point; those below an `$id` point to where that is.
pub(crate) fn wrapped(mut schema: Value) -> Value {
    move_references(&mut schema);
    let root = schema.as_object_mut().filter(|schema| !has_id(schema));
    let definitions = root.and_then(|schema| schema.shift_remove("$defs"));
    let mut root = Map::new();
    set(&mut root, "type", "object".into());
    set(&mut root, "properties", only("result", schema));
    set(&mut root, "required", Value::Array(vec!["result".into()]));
    if let Some(definitions) = definitions {
        set(&mut root, "$defs", definitions);
    }
    Value::Object(root)
}

/// Moves references to the root, which recursive types have, into the wrapper.
fn move_references(schema: &mut Value) {
    match schema {
        Value::Object(members) if has_id(members) => {}
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| match value {
            Value::String(target)
                if key == "$ref"
                    && (target == "#" || target.starts_with("#/"))
                    && !target.starts_with("#/$defs/") =>
            {
                target.insert_str(1, "/properties/result");
            }
            value => move_references(value),
        }),
        Value::Array(items) => items.iter_mut().for_each(move_references),
        _ => {}
    }
}

fn has_id(schema: &Map<String, Value>) -> bool {
    schema.get("$id").is_some_and(Value::is_string)
}
