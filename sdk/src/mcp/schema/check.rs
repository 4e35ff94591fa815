//! Checks a value against a derived schema, to enforce what types alone do not say and to word what
//! is wrong.
//!
//! It knows the keywords that derived schemas consist of, `pattern` apart; it is no general
//! validator.

mod branches;
mod words;

use std::cell::Cell;
use std::fmt;

use serde_json::{Map, Value};

use super::normalise::{bounds, children};
use words::{counted, describe, distance, list, shown, type_name, type_of};

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

/// What null stands for, where a property is optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// The absence of the property, as some models write it and as `Option` takes it.
    Absence,
    /// A value like others.
    Value,
}

/// How many problems are worded at most; one more is found, so that it can be said that there are
/// more.
pub(crate) const MOST: usize = 50;

/// How many times a part of a value may be looked at, and so many more for each part that it has.
const LOOKS: (usize, usize) = (100_000, 64);

/// What is wrong with `value`: everything, up to one more than [`MOST`].
pub(crate) fn problems(schema: &Value, value: &Value, null: Null) -> Vec<Problem> {
    let looks = Cell::new(parts(value).saturating_mul(LOOKS.1).saturating_add(LOOKS.0));
    let mut check =
        Check { root: schema, null, pointer: String::new(), found: Vec::new(), looks: &looks };
    check.value(schema, value);
    let mut found = check.found;
    // A type of alternatives within alternatives can take a time that doubles with each level, and
    // a call must not hold up others for ever.
    if looks.get() == 0 {
        found.push(Problem {
            pointer: String::new(),
            text: "could mean too many things to compare them all; nest fewer levels".into(),
        });
    }
    found
}

fn parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(parts).sum::<usize>() + 1,
        Value::Object(members) => members.values().map(parts).sum::<usize>() + 1,
        _ => 1,
    }
}

/// Whether a schema, as it was derived, says more than the types that it was derived from enforce.
/// The bounds of an integer type are told from others by its format.
pub(crate) fn has_constraints(schema: &Value) -> bool {
    let Value::Object(members) = schema else { return false };
    let (least, most) = bounds(members.get("format").and_then(Value::as_str).unwrap_or_default());
    let mut constrained = members.iter().any(|(key, value)| match key.as_str() {
        "minLength" | "maxLength" | "minItems" | "maxItems" | "multipleOf" | "exclusiveMinimum"
        | "exclusiveMaximum" => true,
        "minimum" => value.as_i64() != least,
        "maximum" => value.as_i64() != most,
        _ => false,
    });
    children(members, |_, child| constrained |= has_constraints(child));
    constrained
}

struct Check<'a> {
    root: &'a Value,
    null: Null,
    pointer: String,
    found: Vec<Problem>,
    /// How many more times a part of the value may be looked at.
    looks: &'a Cell<usize>,
}

impl<'a> Check<'a> {
    fn value(&mut self, schema: &'a Value, value: &Value) {
        self.looks.set(self.looks.get().saturating_sub(1));
        if self.is_enough() {
            return;
        }
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
            Value::String(text) => self.length(schema, "Length", text.chars().count(), "character"),
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
            let Some(reference) = members.get("$ref").and_then(Value::as_str) else {
                return Some(members);
            };
            schema = self.root.pointer(reference.strip_prefix('#')?)?;
        }
        None
    }

    fn object(&mut self, schema: &'a Map<String, Value>, members: &Map<String, Value>) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required =
            schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let null = self.null;
        for (name, value) in members {
            if self.is_enough() {
                return;
            }
            let property = properties.and_then(|properties| properties.get(name));
            self.below(name, |check| match (property, schema.get("additionalProperties")) {
                (Some(_), _)
                    if null == Null::Absence
                        && value.is_null()
                        && !required.iter().any(|required| required == name) => {}
                (Some(property), _) => check.value(property, value),
                (None, Some(Value::Bool(false))) => check.unknown(name, properties),
                (None, Some(additional)) => check.value(additional, value),
                (None, None) => {}
            });
        }
        for name in
            required.iter().filter_map(Value::as_str).filter(|name| !members.contains_key(*name))
        {
            let kind = properties
                .and_then(|properties| self.resolve(properties.get(name)?))
                .map(describe)
                .unwrap_or_default();
            self.below(name, |check| {
                check.problem(format!(
                    "missing{}{kind}",
                    if kind.is_empty() { "" } else { ", expected " }
                ))
            });
        }
    }

    fn unknown(&mut self, name: &str, properties: Option<&Map<String, Value>>) {
        let known: Vec<&str> =
            properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let nearest = known
            .iter()
            .map(|known| (distance(name, known), *known))
            .min()
            .filter(|(distance, known)| *distance * 3 <= known.len());
        self.problem(match (nearest, known.is_empty()) {
            (Some((_, nearest)), _) => format!("unknown, did you mean `{nearest}`?"),
            (None, false) => format!(
                "unknown, known are {}",
                known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            ),
            (None, true) => "unknown, there are no arguments".into(),
        });
    }

    fn array(&mut self, schema: &'a Map<String, Value>, items: &[Value]) {
        let prefix = lists(schema, &["prefixItems"]).collect::<Vec<_>>();
        for (index, item) in items.iter().enumerate() {
            if self.is_enough() {
                return;
            }
            if let Some(schema) = prefix.get(index).copied().or_else(|| schema.get("items")) {
                self.below(&index.to_string(), |check| check.value(schema, item));
            }
        }
        self.length(schema, "Items", items.len(), "item");
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
            if let Some(bound) = schema
                .get(key)
                .filter(|bound| bound.as_f64().is_some_and(|bound| !holds(value, bound)))
            {
                self.problem(format!("expected {words} {bound}, got {number}"));
            }
        }
        let step = schema.get("multipleOf").filter(|step| {
            step.as_f64().is_some_and(|step| step > 0.0 && !is_multiple(value / step))
        });
        if let Some(step) = step {
            self.problem(format!("expected a multiple of {step}, got {number}"));
        }
    }

    fn length(&mut self, schema: &Map<String, Value>, suffix: &str, length: usize, unit: &str) {
        let bound = |prefix: &str| schema.get(&format!("{prefix}{suffix}")).and_then(Value::as_u64);
        if let Some(least) = bound("min").filter(|least| (length as u64) < *least) {
            self.problem(format!("expected at least {}, got {length}", counted(least, unit)));
        }
        if let Some(most) = bound("max").filter(|most| (length as u64) > *most) {
            self.problem(format!("expected at most {}, got {length}", counted(most, unit)));
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
        if self.found.len() <= MOST {
            self.found.push(Problem { pointer: self.pointer.clone(), text });
        }
    }

    /// Nothing that is still to be found would be told.
    fn is_enough(&self) -> bool {
        self.found.len() > MOST || self.looks.get() == 0
    }
}

fn lists<'a>(
    schema: &'a Map<String, Value>,
    keys: &'static [&'static str],
) -> impl Iterator<Item = &'a Value> {
    keys.iter().filter_map(|key| schema.get(*key)?.as_array()).flatten()
}

/// Whether a quotient is whole, as far as that can be told: 0.3 divided by 0.1 is not quite 3.
fn is_multiple(quotient: f64) -> bool {
    (quotient - quotient.round()).abs() <= 1e-9 * quotient.abs().max(1.0)
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
