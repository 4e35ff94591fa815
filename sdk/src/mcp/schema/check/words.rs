//! Short descriptions of schemas and values.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::super::keyword::{get, items, one_or_more};
use super::super::problem::{clipped, joined, texts};
use super::part::{Kind, Part, Reading};
use crate::mcp::places::Places;
use crate::mcp::words::join;
use crate::scan;

fn type_of(part: &Part<'_>) -> &'static str {
    match part.kind {
        Kind::Null => "null",
        Kind::Boolean => "boolean",
        Kind::Number => "number",
        Kind::Text => "string",
        Kind::Array { .. } => "array",
        Kind::Object(_) => "object",
    }
}

/// The types that a schema names under `type`.
pub(super) fn types(kind: &Value) -> Vec<&str> {
    strings(one_or_more(kind))
}

/// The strings in a list.
fn strings(list: &[Value]) -> Vec<&str> {
    list.iter().filter_map(Value::as_str).collect()
}

pub(super) fn type_name(kind: &Value) -> String {
    match types(kind) {
        kinds if kinds.is_empty() => "another type".into(),
        kinds => join(&kinds, " or "),
    }
}

/// What a schema demands, in a few words.
pub(super) fn describe(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(choices)) = get(schema, "enum") {
        return list(choices);
    }
    if let Some(only) = get(schema, "const") {
        return only.to_string();
    }
    let kind = get(schema, "type").map(type_name).unwrap_or_default();
    match items(schema, "required") {
        names if kind == "object" && !names.is_empty() => {
            format!("object with {}", quoted(&strings(names)))
        }
        _ => kind,
    }
}

/// What any of several schemas demands.
pub(super) fn alternatives(kinds: Vec<String>) -> String {
    let (mut known, mut said) = (Places::default(), Vec::new());
    for kind in kinds {
        if !kind.is_empty() && known.add(kind.clone().into()) {
            said.push(kind);
        }
    }
    match said.is_empty() {
        true => "another value".into(),
        false => joined(&said, " or "),
    }
}

pub(super) fn quoted(names: &[&str]) -> String {
    let mut quoted = Vec::with_capacity(names.len());
    for name in names {
        quoted.push(format!("`{name}`"));
    }
    joined(&quoted, ", ")
}

pub(super) fn list(choices: &[Value]) -> String {
    format!("one of {}", joined(&texts(choices), ", "))
}

/// A value in a few words: its type, and itself where it is short.
pub(super) fn shown(part: &Part<'_>) -> String {
    match part.kind {
        Kind::Null | Kind::Array { .. } | Kind::Object(_) => type_of(part).into(),
        Kind::Boolean | Kind::Number | Kind::Text => {
            // Escapes are undone if the text is not too long for it.
            const LONG: usize = 1000;
            let text = Some(part.text).filter(|text| text.len() <= LONG).and_then(scan::string);
            let text = text.map_or(part.text.into(), |text| Value::from(text).to_string());
            format!("{} {}", type_of(part), clipped(&text, 60))
        }
    }
}

/// True if a value has a type, where nothing stands for absence.
pub(super) fn has_one_type(kind: &str, part: &Part<'_>) -> bool {
    has_type(&Value::from(kind), part, Reading::Lenient)
}

/// True if a value has the given type, or one of several.
pub(super) fn has_type(kind: &Value, part: &Part<'_>, reading: Reading) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, part, reading)),
        _ => match kind.as_str() {
            Some("integer") => {
                const OF_64_BITS: RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;
                let integer = part.text.parse::<i128>();
                let is_128 = || integer.is_ok() || part.text.parse::<u128>().is_ok();
                let is_whole = || {
                    let number = part.text.parse::<f64>();
                    is_128() || number.is_ok_and(|number| number.fract() == 0.0)
                };
                matches!(part.kind, Kind::Number)
                    && match reading {
                        Reading::Strict => integer.is_ok_and(|it| OF_64_BITS.contains(&it)),
                        Reading::Lenient => is_128(),
                        Reading::Written => is_whole(),
                    }
            }
            Some(kind) => kind == type_of(part),
            None => true,
        },
    }
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to change
/// one name into the other (optimal string alignment), for the first 64 letters of each.
pub fn distance(a: &str, b: &str) -> usize {
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
