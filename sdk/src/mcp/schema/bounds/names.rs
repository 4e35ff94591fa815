//! Which lists of values in a schema are the names of a Rust enum's variants.
//!
//! Such a list is no bound: the type may accept more names, by an alias or `other`. Where types are
//! written out it looks like one that an attribute adds to a `String`. Where they are references,
//! that of an enum is in a definition.

use serde_json::{Map, Value};

use super::super::keyword::{has_type, items, pointed, text};
use super::super::normalise::{Place, placed_children};
use crate::mcp::places::Places;

/// The schemas in `inline` whose `enum` has the names of a Rust enum. `named` is the same schema
/// with references to the types that have a name.
pub(super) fn own_names<'a>(inline: &'a Value, named: &'a Value) -> Vec<&'a Map<String, Value>> {
    // A schema by hand can be a chain of references that never ends.
    const MOST: usize = 8;
    let root = (inline, named);
    let (mut own, mut known, mut pairs) = (Vec::new(), Places::default(), vec![root]);
    while let Some((value, named)) = pairs.pop() {
        let Value::Object(inline) = value else { continue };
        // A type inside of itself is a reference here, too.
        if let Some(target) = text(inline, "$ref") {
            if known.add(target.into())
                && let Some(value) = pointed(root.0, target)
            {
                pairs.push((value, named));
            }
            continue;
        }
        let (mut next, mut is_definition) = (Some(named), false);
        for _ in 0..MOST {
            let Some(Value::Object(named)) = next else { break };
            if is_definition && is_of(named, inline) {
                own.push(inline);
            }
            placed_children(inline, &mut |keyword, place, child| {
                if let Some(named) = part(named, keyword, place) {
                    pairs.push((child, named));
                }
            });
            let target = text(named, "$ref");
            is_definition |= target.is_some();
            next = match (target, optional(named)) {
                (Some(target), _) => pointed(root.1, target),
                // Written out, an `Option` may be one more type in the schema of its value.
                (None, only) => only.filter(|_| optional(inline).is_none()),
            };
        }
    }
    own
}

/// True if `inline` has the names of the enum with this definition. schemars begins that of an enum
/// without data with its type and its names; what `extend(…)` adds to another type comes last.
fn is_of(definition: &Map<String, Value>, inline: &Map<String, Value>) -> bool {
    let mut keys = definition.keys().map(String::as_str);
    let (names, listed) = (items(definition, "enum"), items(inline, "enum"));
    (keys.next(), keys.next()) == (Some("type"), Some("enum"))
        && listed.strip_prefix(names).is_some_and(|more| more.iter().all(Value::is_null))
}

/// The schema of the value where a schema has the form of an `Option`.
fn optional(schema: &Map<String, Value>) -> Option<&Value> {
    match items(schema, "anyOf") {
        [value, Value::Object(null)] if has_type(null, "null") => Some(value),
        _ => None,
    }
}

/// The part of a schema at the place of another schema's part.
fn part<'a>(schema: &'a Map<String, Value>, keyword: &str, place: Place<'_>) -> Option<&'a Value> {
    // Types that contain themselves are found where they are used.
    let parts = schema.get(keyword).filter(|_| keyword != "$defs")?;
    match place {
        Place::Only => Some(parts),
        Place::Item(at) => parts.get(at),
        Place::Named(name) => parts.get(name),
    }
}
