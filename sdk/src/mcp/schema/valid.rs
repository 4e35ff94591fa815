//! The mistakes in a schema for which a strict client drops the whole list of tools.

use serde_json::{Map, Value};

use super::bounds;
use super::keyword::{pointed, text};
use super::normalise::children;
use crate::mcp::places::Places;

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What the regular expressions of a schema have to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patterns {
    /// What JavaScript compiles: a client does so with those of output schemas.
    Compiled,
    /// Those of any dialect: clients only pass on input schemas.
    Any,
}

/// The mistakes in an input schema; empty if strict clients accept it.
pub(crate) fn defects(schema: &Value, patterns: Patterns) -> Vec<String> {
    let (mut defects, what) = (Vec::new(), "input schema");
    let Value::Object(root) = schema else {
        return vec![format!("the {what} is not a JSON object")];
    };
    if root.get("type").is_none_or(|kind| kind != "object") {
        let is_choice = ["oneOf", "anyOf"].iter().any(|key| root.contains_key(*key));
        let advice = match is_choice {
            true => ", and have the alternatives in one of its members",
            // As that of a `Value` is.
            false if root.is_empty() => "; that of a `Map<String, Value>` says it",
            // As that of `()` is.
            false if root.get("type").is_some_and(|kind| kind == "null") => {
                "; a struct without fields stands for no arguments"
            }
            false => "",
        };
        defects.push(format!("the {what} must say `\"type\": \"object\"` at its root{advice}"));
    }
    boolean_properties(root, what, &mut defects);
    keywords(root, what, patterns, &mut defects);
    defects
}

/// The same for an output schema, which may describe any value in the modern era.
pub(crate) fn output_defects(schema: &Value) -> Vec<String> {
    let mut defects = Vec::new();
    match schema {
        Value::Object(root) => {
            boolean_properties(root, "output schema", &mut defects);
            keywords(root, "output schema", Patterns::Compiled, &mut defects);
            references(schema, schema, &mut defects);
        }
        _ => defects.push("the output schema is not a JSON object".into()),
    }
    defects
}

/// The schema of MCP before 2026-07-28 wants objects here, and a strict client of that era drops
/// the whole list for a boolean.
fn boolean_properties(root: &Map<String, Value>, what: &str, defects: &mut Vec<String>) {
    let Some(Value::Object(properties)) = root.get("properties") else { return };
    for (name, property) in properties {
        if property.is_boolean() {
            defects.push(format!(
                "the {what} has a boolean as the schema of `{name}`; write `{{}}` or \
                 `{{\"not\": {{}}}}`"
            ));
        }
    }
}

fn keywords(
    schema: &Map<String, Value>,
    what: &str,
    patterns: Patterns,
    defects: &mut Vec<String>,
) {
    let is_compiled = patterns == Patterns::Compiled;
    for (key, value) in schema {
        let (fits, expected): (fn(&Value) -> bool, &str) = match key.as_str() {
            "$schema" => (is_dialect, "the dialect 2020-12, or nothing"),
            "type" => (is_type, "a JSON type or a list of them"),
            "properties" | "$defs" | "dependentSchemas" => {
                (is_object_of_schemas, "an object of schemas")
            }
            "patternProperties" if is_compiled => (
                |value| is_object_by(bounds::is_pattern, value),
                "an object of schemas, by regular expressions of ECMA-262 with the flag `u`",
            ),
            "patternProperties" => (
                |value| is_object_by(bounds::may_be_pattern, value),
                "an object of schemas, by regular expressions of ECMA-262",
            ),
            "required" => (is_list_of_strings, "a list of names"),
            "enum" => (is_list_of_any, "a list of values that is not empty"),
            "examples" => (Value::is_array, "a list of values"),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                (is_list_of_schemas, "a list of schemas that is not empty")
            }
            "items" | "not" | "if" | "then" | "else" | "contains" | "propertyNames" => {
                (is_schema, "a schema")
            }
            "additionalProperties" => (is_schema, "a schema"),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                (Value::is_number, "a number")
            }
            "multipleOf" => (is_step, "a number above 0"),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" | "minContains" | "maxContains" => (is_count, "a count"),
            "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => {
                (Value::is_boolean, "true or false")
            }
            "pattern" if is_compiled => (
                |value| value.as_str().is_some_and(bounds::is_pattern),
                "a regular expression of ECMA-262 with the flag `u`",
            ),
            "pattern" => (
                |value| value.as_str().is_some_and(bounds::may_be_pattern),
                "a regular expression of ECMA-262",
            ),
            "format" | "$ref" | "$dynamicRef" | "$id" | "$comment" | "title" | "description" => {
                (Value::is_string, "a string")
            }
            _ => continue,
        };
        if !fits(value) {
            defects.push(format!("the {what} has `{key}`: {value}, which should be {expected}"));
        }
    }
    children(schema, |_, child| {
        if let Value::Object(child) = child {
            keywords(child, what, patterns, defects);
        }
    });
}

/// Clients compile output schemas, and fail where a reference leads nowhere. They only pass on
/// input schemas, for which `lint` names such references.
fn references(schema: &Value, root: &Value, defects: &mut Vec<String>) {
    let Value::Object(members) = schema else { return };
    // References count from the nearest identifier.
    let root = if text(members, "$id").is_some() { schema } else { root };
    if let Some(reference) = text(members, "$ref").filter(|it| it.starts_with("#/"))
        && pointed(root, reference).is_none()
    {
        defects.push(format!("the output schema has `$ref`: \"{reference}\", which leads nowhere"));
    }
    children(members, |_, child| references(child, root, defects));
}

fn is_type(value: &Value) -> bool {
    let known = |value: &Value| value.as_str().is_some_and(|kind| TYPES.contains(&kind));
    match value {
        Value::Array(types) => !types.is_empty() && types.iter().all(known) && is_unique(types),
        _ => known(value),
    }
}

fn is_dialect(value: &Value) -> bool {
    value.as_str().is_some_and(|dialect| dialect.trim_end_matches('#') == DIALECT)
}

fn is_step(value: &Value) -> bool {
    value.as_f64().is_some_and(|step| step > 0.0)
}

fn is_count(value: &Value) -> bool {
    value.as_f64().is_some_and(|count| count >= 0.0 && count.fract() == 0.0)
}

/// True if no two of these strings are equal.
fn is_unique(values: &[Value]) -> bool {
    let mut seen = Places::default();
    values.iter().filter_map(Value::as_str).all(|text| seen.add(text.into()))
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

fn is_object_of_schemas(value: &Value) -> bool {
    value.as_object().is_some_and(|named| named.values().all(is_schema))
}

fn is_object_by(is_pattern: fn(&str) -> bool, value: &Value) -> bool {
    is_object_of_schemas(value)
        && value.as_object().is_some_and(|named| named.keys().all(|name| is_pattern(name)))
}

fn is_list_of_any(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty())
}

fn is_list_of_schemas(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_schema))
}

fn is_list_of_strings(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(Value::is_string) && is_unique(list))
}
