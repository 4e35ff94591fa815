//! The schema of a form, as a client gets it.

use serde_json::{Map, Value};

use super::Form;
use super::property::Property;
use crate::mcp::protocol::Profile;
use crate::mcp::schema;

/// The JSON text of the `requestedSchema` for `T`. `default` is a `T`, or a part of one, and is
/// what the user finds filled in.
pub(crate) fn requested<T: Form>(profile: &Profile, default: Option<&Value>) -> Box<str> {
    flat(&schema::input::<T>(), profile, default).to_string().into()
}

/// The schema of a form from that of its type.
#[inline]
pub(super) fn flat(of_type: &Value, profile: &Profile, default: Option<&Value>) -> Value {
    let mut properties = Map::new();
    for (name, schema) in of_type["properties"].as_object().into_iter().flatten() {
        let default = default.map_or(schema.get("default"), |default| default.get(name));
        let schema = schema.as_object().into_iter();
        let property = schema.map(|schema| Property::of(schema).write(profile, default));
        properties.extend(property.map(|property| (name.clone(), property)));
    }
    let mut form = Map::new();
    form.insert("type".into(), "object".into());
    form.insert("properties".into(), Value::Object(properties));
    let required = of_type.get("required");
    form.extend(required.map(|required| ("required".to_owned(), required.clone())));
    Value::Object(form)
}
