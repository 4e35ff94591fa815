//! Members of objects that several setters fill.

use serde_json::{Map, Value};

/// Sets a member. An object and a list add to the one that is there; anything else takes its place.
pub(super) fn add(object: &mut Map<String, Value>, name: String, value: Value) {
    match object.get_mut(&name) {
        Some(place) => merge(place, value),
        None => drop(object.insert(name, value)),
    }
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
