//! An argument with a name of its own, and what its author adds to the schema of its type.

use serde_json::{Map, Value};

use super::keyword::{items, one_or_more, only, set, text};
use crate::mcp::words::join;

/// An argument apart from the schema of its type.
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) is_optional: bool,
    /// Keywords of JSON Schema. Those of lengths are the ones of strings, whatever the type is.
    pub(crate) rules: Vec<(&'static str, Value)>,
}

/// The keywords of lengths, by the type that they are for.
const LENGTHS: [(&str, &str, &str); 3] = [
    ("string", "minLength", "maxLength"),
    ("array", "minItems", "maxItems"),
    ("object", "minProperties", "maxProperties"),
];

impl Argument {
    /// The schema of the argument, from that of its type and from the types that have a name.
    /// Adds what is wrong with it to `defects`.
    pub(super) fn schema(
        &self,
        of_type: Value,
        definitions: &Map<String, Value>,
        defects: &mut Vec<String>,
    ) -> Value {
        let mut schema = described(of_type, self.description.trim_ascii());
        let mut types = Vec::new();
        collect_types(&schema, definitions, 8, &mut types);
        let is = |kinds: &[&str]| types.is_empty() || types.iter().any(|it| kinds.contains(it));
        for (keyword, value) in &self.rules {
            let (key, wanted) = match *keyword {
                "minimum" => ("min", "a number"),
                "maximum" => ("max", "a number"),
                "minLength" => ("min_length", "a string, a list or a map"),
                "maxLength" => ("max_length", "a string, a list or a map"),
                "pattern" => ("pattern", "a string"),
                _ => {
                    set(&mut schema, keyword, value.clone());
                    continue;
                }
            };
            let fits = match key {
                "min" | "max" => is(&["integer", "number"]),
                "pattern" => is(&["string"]),
                _ => is(&["string", "array", "object"]),
            };
            if !fits {
                let (name, types) = (self.name, join(&types, " or "));
                defects.push(format!(
                    "argument `{name}`: `{key}` is for {wanted}, and its type is {types}"
                ));
                continue;
            }
            match *keyword {
                "minLength" | "maxLength" => {
                    for (_, least, most) in LENGTHS.iter().filter(|(kind, ..)| is(&[kind])) {
                        let keyword = if *keyword == "minLength" { least } else { most };
                        narrow(&mut schema, keyword, value);
                    }
                }
                keyword => narrow(&mut schema, keyword, value),
            }
        }
        self.check_ranges(&schema, defects);
        Value::Object(schema)
    }

    fn check_ranges(&self, schema: &Map<String, Value>, defects: &mut Vec<String>) {
        if self.rules.is_empty() {
            return;
        }
        let mut check = |least: &str, most: &str, min: &str, max: &str| {
            let bound = |keyword| schema.get(keyword).and_then(Value::as_f64);
            if let (Some(low), Some(high)) = (bound(least), bound(most))
                && low > high
            {
                let (name, low, high) = (self.name, &schema[least], &schema[most]);
                defects.push(format!(
                    "argument `{name}`: nothing is at least {low} and at most {high} \
                     (`{min}`, `{max}`, its type)"
                ));
            }
        };
        check("minimum", "maximum", "min", "max");
        for (_, least, most) in LENGTHS {
            check(least, most, "min_length", "max_length");
        }
    }
}

/// Adds a bound. Where the type has one of its own, both hold.
fn narrow(schema: &mut Map<String, Value>, keyword: &str, bound: &Value) {
    let bound = bound.clone();
    let is_tighter = |own: &Value| match keyword.starts_with("min") {
        true => own.as_f64() <= bound.as_f64(),
        false => own.as_f64() >= bound.as_f64(),
    };
    if keyword == "pattern" && schema.contains_key(keyword) {
        let mut all = items(schema, "allOf").to_vec();
        all.push(only(keyword, bound));
        set(schema, "allOf", Value::Array(all));
    } else if schema.get(keyword).is_none_or(is_tighter) {
        set(schema, keyword, bound);
    }
}

/// The types that a schema names, without null; none if it takes any.
fn collect_types(
    schema: &Map<String, Value>,
    definitions: &Map<String, Value>,
    references: usize,
    types: &mut Vec<&'static str>,
) {
    const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];
    for kind in schema.get("type").map(one_or_more).unwrap_or_default() {
        for known in TYPES {
            if kind == known && !types.contains(&known) {
                types.push(known);
            }
        }
    }
    if references == 0 {
        return;
    }
    let mut others: Vec<&Value> = Vec::new();
    for keyword in ["anyOf", "oneOf", "allOf"] {
        others.extend(items(schema, keyword));
    }
    let target = text(schema, "$ref").and_then(|target| target.strip_prefix("#/$defs/"));
    others.extend(target.and_then(|target| definitions.get(target)));
    for other in others {
        if let Value::Object(other) = other {
            collect_types(other, definitions, references - 1, types);
        }
    }
}

/// Puts the argument's description first. Without one, the description of its type stays.
fn described(schema: Value, description: &str) -> Map<String, Value> {
    let members = match schema {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    if description.is_empty() {
        return members;
    }
    let mut described = Map::new();
    set(&mut described, "description", description.into());
    for (key, value) in members {
        // One of the type's own gives way.
        described.entry(key).or_insert(value);
    }
    described
}
