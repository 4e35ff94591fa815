//! Checks a value against a derived schema, to enforce what types alone do not say and to word what is wrong.
//!
//! It knows the keywords that derived schemas consist of, `pattern` apart; it is no general validator.

use std::fmt;

use serde_json::{Map, Value};

use super::normalise::children;

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where, as a JSON pointer; empty for the value itself.
    pub(crate) pointer: String,
    pub(crate) text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.is_empty() {
            true => f.write_str(&self.text),
            false => write!(f, "{}: {}", self.pointer, self.text),
        }
    }
}

/// Everything that is wrong with `value`.
pub(crate) fn problems(schema: &Value, value: &Value) -> Vec<Problem> {
    let mut check = Check { root: schema, pointer: String::new(), found: Vec::new() };
    check.value(schema, value);
    check.found
}

/// Whether a derived schema says more than the types that it was derived from enforce.
pub(crate) fn has_constraints(schema: &Value) -> bool {
    let Value::Object(members) = schema else { return false };
    let is_float = members.get("type").is_some_and(|kind| kind == "number");
    let mut constrained = members.iter().any(|(key, value)| match key.as_str() {
        "minLength" | "maxLength" | "minItems" | "maxItems" | "multipleOf" | "exclusiveMinimum" | "exclusiveMaximum" => true,
        "minimum" | "maximum" => is_float || !is_bound_of_a_type(value),
        _ => false,
    });
    children(members, |_, child| constrained |= has_constraints(child));
    constrained
}

fn is_bound_of_a_type(bound: &Value) -> bool {
    const BOUNDS: [i64; 10] = [0, 127, -128, 255, 32767, -32768, 65535, 2147483647, -2147483648, 4294967295];
    bound.as_i64().is_some_and(|bound| BOUNDS.contains(&bound))
}

struct Check<'a> {
    root: &'a Value,
    pointer: String,
    found: Vec<Problem>,
}

impl<'a> Check<'a> {
    fn value(&mut self, schema: &'a Value, value: &Value) {
        let Some(schema) = self.resolve(schema) else { return };
        if let Some(choices) = schema.get("enum").and_then(Value::as_array)
            && !choices.contains(value)
        {
            return self.expected(&list(choices), value);
        }
        if let Some(only) = schema.get("const")
            && only != value
        {
            return self.expected(&only.to_string(), value);
        }
        if let Some(kind) = schema.get("type")
            && !has_type(kind, value)
        {
            return self.expected(&type_name(kind), value);
        }
        match value {
            Value::Object(members) => self.object(schema, members),
            Value::Array(items) => self.array(schema, items),
            Value::String(text) => self.length(schema, "Length", text.chars().count(), "characters"),
            Value::Number(number) => self.number(schema, number),
            Value::Null | Value::Bool(_) => {}
        }
        for schema in lists(schema, &["allOf"]) {
            self.value(schema, value);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(key) {
                self.any(branches, value);
            }
        }
    }

    fn resolve(&self, mut schema: &'a Value) -> Option<&'a Map<String, Value>> {
        for _ in 0..8 {
            let members = schema.as_object()?;
            let Some(reference) = members.get("$ref").and_then(Value::as_str) else { return Some(members) };
            schema = self.root.pointer(reference.strip_prefix('#')?)?;
        }
        None
    }

    fn object(&mut self, schema: &'a Map<String, Value>, members: &Map<String, Value>) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for (name, value) in members {
            let property = properties.and_then(|properties| properties.get(name));
            self.below(name, |check| match (property, schema.get("additionalProperties")) {
                // Null is how some models write that an optional property is absent.
                (Some(_), _) if value.is_null() && !required.iter().any(|required| required == name) => {}
                (Some(property), _) => check.value(property, value),
                (None, Some(Value::Bool(false))) => check.unknown(name, properties),
                (None, Some(additional)) => check.value(additional, value),
                (None, None) => {}
            });
        }
        for name in required.iter().filter_map(Value::as_str).filter(|name| !members.contains_key(*name)) {
            let kind = properties.and_then(|properties| self.resolve(properties.get(name)?)).map(describe).unwrap_or_default();
            self.below(name, |check| check.problem(format!("missing{}{kind}", if kind.is_empty() { "" } else { ", expected " })));
        }
    }

    fn unknown(&mut self, name: &str, properties: Option<&Map<String, Value>>) {
        let known: Vec<&str> = properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let nearest =
            known.iter().map(|known| (distance(name, known), *known)).min().filter(|(distance, known)| *distance * 3 <= known.len());
        self.problem(match (nearest, known.is_empty()) {
            (Some((_, nearest)), _) => format!("unknown, did you mean `{nearest}`?"),
            (None, false) => format!("unknown, known are {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
            (None, true) => "unknown, there are no arguments".into(),
        });
    }

    fn array(&mut self, schema: &'a Map<String, Value>, items: &[Value]) {
        let prefix = lists(schema, &["prefixItems"]).collect::<Vec<_>>();
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = prefix.get(index).copied().or_else(|| schema.get("items")) {
                self.below(&index.to_string(), |check| check.value(schema, item));
            }
        }
        self.length(schema, "Items", items.len(), "items");
    }

    fn number(&mut self, schema: &Map<String, Value>, number: &serde_json::Number) {
        let Some(value) = number.as_f64() else { return };
        type Holds = fn(f64, f64) -> bool;
        let bounds: [(&str, Holds, &str); 4] = [
            ("minimum", |value, bound| value >= bound, "at least"),
            ("maximum", |value, bound| value <= bound, "at most"),
            ("exclusiveMinimum", |value, bound| value > bound, "more than"),
            ("exclusiveMaximum", |value, bound| value < bound, "less than"),
        ];
        for (key, holds, words) in bounds {
            if let Some(bound) = schema.get(key).filter(|bound| bound.as_f64().is_some_and(|bound| !holds(value, bound))) {
                self.problem(format!("expected {words} {bound}, got {number}"));
            }
        }
    }

    fn length(&mut self, schema: &Map<String, Value>, suffix: &str, length: usize, unit: &str) {
        let bound = |prefix: &str| schema.get(&format!("{prefix}{suffix}")).and_then(Value::as_u64);
        if let Some(least) = bound("min").filter(|least| (length as u64) < *least) {
            self.problem(format!("expected at least {least} {unit}, got {length}"));
        }
        if let Some(most) = bound("max").filter(|most| (length as u64) > *most) {
            self.problem(format!("expected at most {most} {unit}, got {length}"));
        }
    }

    /// One of several schemas must do. If none does, the one that comes nearest words the problem.
    fn any(&mut self, branches: &'a [Value], value: &Value) {
        let mut nearest: Option<Vec<Problem>> = None;
        for branch in branches {
            let mut check = Check { root: self.root, pointer: self.pointer.clone(), found: Vec::new() };
            check.value(branch, value);
            if check.found.is_empty() {
                return;
            }
            let is_inside = check.found.iter().all(|problem| problem.pointer.len() > self.pointer.len());
            if is_inside && nearest.as_ref().is_none_or(|nearest| check.found.len() < nearest.len()) {
                nearest = Some(check.found);
            }
        }
        match nearest {
            Some(found) => self.found.extend(found),
            None => {
                let kinds = branches.iter().filter_map(|branch| self.resolve(branch)).map(describe).collect::<Vec<_>>();
                self.expected(&kinds.join(" or "), value);
            }
        }
    }

    fn below(&mut self, step: &str, f: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&crate::scan::escape_pointer(step));
        f(self);
        self.pointer.truncate(length);
    }

    fn expected(&mut self, expected: &str, got: &Value) {
        self.problem(format!("expected {expected}, got {}", shown(got)));
    }

    fn problem(&mut self, text: String) {
        self.found.push(Problem { pointer: self.pointer.clone(), text });
    }
}

fn lists<'a>(schema: &'a Map<String, Value>, keys: &'static [&'static str]) -> impl Iterator<Item = &'a Value> {
    keys.iter().filter_map(|key| schema.get(*key)?.as_array()).flatten()
}

fn has_type(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
        _ => match kind.as_str() {
            Some("integer") => value.is_i64() || value.is_u64(),
            Some(kind) => kind == type_of(value),
            None => true,
        },
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn type_name(kind: &Value) -> String {
    match kind {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => kind.as_str().unwrap_or("another type").to_owned(),
    }
}

/// What a schema asks for, in a few words.
fn describe(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(choices)) = schema.get("enum") {
        return list(choices);
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    schema.get("type").map(type_name).unwrap_or_default()
}

fn list(choices: &[Value]) -> String {
    format!("one of {}", choices.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
}

/// A value in a few words: its type, and itself where it is short.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Array(_) | Value::Object(_) => type_of(value).into(),
        _ => {
            let text = value.to_string();
            match text.chars().count() > 60 {
                true => format!("{} {}…", type_of(value), text.chars().take(57).collect::<String>()),
                false => format!("{} {text}", type_of(value)),
            }
        }
    }
}

/// How many letters must be put in, taken out or exchanged to make one name of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
