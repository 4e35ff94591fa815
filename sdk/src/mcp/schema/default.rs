//! The defaults that schemas show.

use serde_json::{Map, Value};

use super::keyword::{get_mut, items, names, object, set};

/// Removes what is null in a default, and may be absent instead: what has no default of its own,
/// which would be read in its place.
pub(super) fn shorten_default(schema: &mut Map<String, Value>) {
    let Some(mut default) = get_mut(schema, "default").map(Value::take) else { return };
    omit_null(&mut default, schema);
    set(schema, "default", default);
}

fn omit_null(value: &mut Value, schema: &Map<String, Value>) {
    for branch in items(schema, "oneOf").iter().chain(items(schema, "anyOf")) {
        if let Value::Object(branch) = branch
            && is_of_branch(value, branch, schema)
        {
            omit_null(value, branch);
        }
    }
    match value {
        Value::Array(list) => {
            let first = items(schema, "prefixItems");
            for (at, value) in list.iter_mut().enumerate() {
                if let Some(Value::Object(item)) = first.get(at).or(schema.get("items")) {
                    omit_null(value, item);
                }
            }
        }
        Value::Object(members) => {
            let (properties, others) =
                (object(schema, "properties"), schema.get("additionalProperties"));
            let required = names(items(schema, "required"));
            members.retain(|name, member| {
                let property = properties.and_then(|properties| properties.get(name));
                if let Some(property) = property.filter(|_| member.is_null()) {
                    let own = property.get("default").is_some_and(|own| !own.is_null());
                    return own || required.has(name);
                }
                if let Some(Value::Object(property)) = property.or(others) {
                    omit_null(member, property);
                }
                true
            });
        }
        _ => {}
    }
}

/// True if a default has all that this branch of its schema demands, and nothing that neither the
/// branch nor the schema itself knows: the fields beside a flattened enum are the schema's.
fn is_of_branch(value: &Value, branch: &Map<String, Value>, schema: &Map<String, Value>) -> bool {
    let Some(properties) = object(branch, "properties") else { return true };
    let Value::Object(members) = value else { return false };
    let own = object(schema, "properties");
    let has = |name: &Value| name.as_str().is_some_and(|name| members.contains_key(name));
    let knows = |(name, member): (&String, &Value)| {
        let property = properties.get(name).or_else(|| own?.get(name));
        property.is_some_and(|it| it.get("const").is_none_or(|only| only == member))
    };
    items(branch, "required").iter().all(has) && members.iter().all(knows)
}
