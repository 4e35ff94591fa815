//! Short descriptions of schemas and values.

use serde_json::{Map, Value};

pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

pub(super) fn type_name(kind: &Value) -> String {
    match kind {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => kind.as_str().unwrap_or("another type").to_owned(),
    }
}

/// What a schema demands, in a few words.
pub(super) fn describe(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(choices)) = schema.get("enum") {
        return list(choices);
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    let kind = schema.get("type").map(type_name).unwrap_or_default();
    match schema.get("required").and_then(Value::as_array) {
        Some(names) if kind == "object" && !names.is_empty() => {
            format!("object with {}", quoted(names.iter().filter_map(Value::as_str)))
        }
        _ => kind,
    }
}

/// What any of several schemas demands.
pub(super) fn alternatives(kinds: impl Iterator<Item = String>) -> String {
    let mut said: Vec<String> = Vec::new();
    for kind in kinds.filter(|kind| !kind.is_empty()) {
        if !said.contains(&kind) {
            said.push(kind);
        }
    }
    match said.is_empty() {
        true => "another value".into(),
        false => said.join(" or "),
    }
}

/// "1 item", "2 items".
pub(super) fn counted(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names = names.into_iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

pub(super) fn list(choices: &[Value]) -> String {
    format!("one of {}", choices.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
}

/// A value in a few words: its type, and itself where it is short.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Array(_) | Value::Object(_) => type_of(value).into(),
        _ => {
            let mut text = value.to_string();
            if text.chars().count() > 60 {
                text = text.chars().take(57).chain(['…']).collect();
            }
            format!("{} {text}", type_of(value))
        }
    }
}

/// True if a value has the given type, or one of several.
pub(super) fn has_type(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
        _ => match kind.as_str() {
            Some("integer") => value.is_i64() || value.is_u64(),
            Some(kind) => kind == type_of(value),
            None => true,
        },
    }
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to change
/// one name into the other (optimal string alignment), for the first 64 letters of each.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let letters = |name: &str| name.chars().take(64).collect::<Vec<_>>();
    let (a, b) = (letters(a), letters(b));
    // Rows of the table of distances between the beginnings of the names, the newest one last.
    let mut rows = [vec![], vec![], (0..=b.len()).collect::<Vec<_>>()];
    for (i, x) in a.iter().enumerate() {
        rows.rotate_left(1);
        let [older, old, new] = &mut rows;
        *new = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (old[j] + usize::from(x != y)).min(old[j + 1] + 1).min(new[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                least = least.min(older[j - 1] + 1);
            }
            new.push(least);
        }
    }
    rows[2][b.len()]
}
