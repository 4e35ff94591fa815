//! Members of objects that several setters fill.

use serde_json::{Map, Value};

/// Sets a member. An object and a list add to the one that is there; anything else takes its place.
pub(super) fn add(object: &mut Map<String, Value>, name: String, value: Value) {
    match object.get_mut(&name) {
        Some(place) => merge(place, value),
        None => drop(object.insert(name, value)),
    }
}

/// [Adds](add) to the object `part`. If that is there and no object, it is left as it is.
pub(super) fn add_within(object: &mut Map<String, Value>, part: &str, name: String, value: Value) {
    if let Value::Object(part) = object.entry(part).or_insert_with(|| Map::new().into()) {
        add(part, name, value);
    }
}

/// A list of texts.
pub(super) fn list(values: impl IntoIterator<Item: Into<String>>) -> Value {
    values.into_iter().map(Into::<String>::into).collect::<Vec<_>>().into()
}

fn merge(place: &mut Value, value: Value) {
    match (place, value) {
        (Value::Object(object), Value::Object(members)) => {
            members.into_iter().for_each(|(name, value)| add(object, name, value));
        }
        (Value::Array(list), Value::Array(values)) => list.extend(values),
        (place, value) => *place = value,
    }
}
