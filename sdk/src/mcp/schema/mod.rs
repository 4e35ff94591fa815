//! JSON Schemas that are safe for a model API, from Rust types.
//!
//! schemars derives them; here they lose what clients and APIs refuse or misread (architecture rule
//! 6): `$schema`, titles of the root, formats outside the standard, `$ref` where nothing is
//! recursive, and null for what may as well be absent.

pub(crate) mod check;
mod normalise;
mod signature;
mod valid;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

pub use signature::Signature;

pub(crate) use signature::Schemas;
pub(crate) use valid::{defects, output_defects};

/// Which way the values go that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Into a tool: an optional property is one that may be absent.
    Input,
    /// Out of a tool: what serialisation writes, null included.
    Output,
}

fn settings(direction: Direction) -> SchemaSettings {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    match direction {
        Direction::Input => settings.for_deserialize(),
        Direction::Output => settings.for_serialize(),
    }
}

/// The schema of a structured result.
pub(crate) fn output<T: JsonSchema>() -> Value {
    let mut schema =
        settings(Direction::Output).into_generator().into_root_schema_for::<T>().to_value();
    normalise::root(&mut schema, Direction::Output);
    schema
}

/// Whether every value of the schema is an object, as the legacy era demands of an output schema.
pub(crate) fn is_object(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// The schema of `{"result": …}` around values of `schema`. Definitions stay at the root, where
/// references look for them.
pub(crate) fn wrapped(mut schema: Value) -> Value {
    move_references(&mut schema);
    let definitions = schema.as_object_mut().and_then(|schema| {
        let definitions = schema.get("$defs").cloned();
        schema.retain(|key, _| key != "$defs");
        definitions
    });
    let mut root = Map::new();
    root.insert("type".into(), "object".into());
    root.insert("properties".into(), json!({"result": schema}));
    root.insert("required".into(), json!(["result"]));
    root.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
    Value::Object(root)
}

/// What refers to the root, as a type that contains itself does, follows it into the wrapper.
fn move_references(schema: &mut Value) {
    match schema {
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

#[cfg(test)]
mod tests;
