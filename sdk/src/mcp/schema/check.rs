//! Checks a value against a derived schema: to enforce what types alone do not, and to describe
//! what is wrong.
//!
//! It knows the keywords of derived schemas except `pattern`. It is not a general validator.

mod words;
mod problem;
mod scalar;
mod branches;

use std::cell::Cell;

use serde_json::{Map, Value};

use super::normalise::{bounds, children};
use branches::{Tag, constant, only_key, tag};
use problem::{Check, items};
use words::{alternatives, describe, distance, has_type, list, quoted, type_name};

pub(crate) use problem::{MOST, Null, Problem};

/// How many comparisons of a part with a schema a check may make: a fixed number, and a number for
/// each part of the value.
const LOOKS: (usize, usize) = (100_000, 64);

/// All problems of `value`, up to one more than [`MOST`].
pub(crate) fn problems(schema: &Value, value: &Value, null: Null) -> Vec<Problem> {
    let looks = Cell::new(parts(value).saturating_mul(LOOKS.1).saturating_add(LOOKS.0));
    let mut check =
        Check { root: schema, null, pointer: String::new(), found: Vec::new(), looks: &looks };
    check.value(schema, value);
    let mut found = check.found;
    // With alternatives inside alternatives the time can double with each level, and one call must
    // not delay the others without bound.
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

/// True if a schema, as schemars derived it, demands more than the types enforce. The format of an
/// integer type determines which bounds are the type's own.
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
        for schema in items(schema, "allOf") {
            self.value(schema, value);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(key) {
                self.any(branches, value);
            }
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>, members: &Map<String, Value>) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = items(schema, "required");
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
        let names = required.iter().filter_map(Value::as_str);
        for name in names.filter(|name| !members.contains_key(*name)) {
            let kind = properties
                .and_then(|properties| self.resolve(properties.get(name)?))
                .map(describe)
                .unwrap_or_default();
            let expected = if kind.is_empty() { "" } else { ", expected " };
            self.below(name, |check| check.problem(format!("missing{expected}{kind}")));
        }
    }

    fn unknown(&mut self, name: &str, properties: Option<&Map<String, Value>>) {
        let known: Vec<&str> =
            properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let nearest = known.iter().map(|known| (distance(name, known), *known)).min();
        let nearest = nearest.filter(|(distance, known)| *distance * 3 <= known.len());
        self.problem(match (nearest, known.is_empty()) {
            (Some((_, nearest)), _) => format!("unknown, did you mean `{nearest}`?"),
            (None, false) => format!("unknown, known are {}", quoted(known)),
            (None, true) => "unknown, there are no arguments".into(),
        });
    }

    fn array(&mut self, schema: &'a Map<String, Value>, values: &[Value]) {
        let prefix = items(schema, "prefixItems");
        for (index, item) in values.iter().enumerate() {
            if self.is_enough() {
                return;
            }
            if let Some(schema) = prefix.get(index).or_else(|| schema.get("items")) {
                self.below(&index.to_string(), |check| check.value(schema, item));
            }
        }
        self.length(schema, "Items", values.len(), "item");
    }

    /// The value must match one of several schemas. If it matches none, the problems are those of
    /// the schema that the value means, or else of the nearest one.
    fn any(&mut self, branches: &'a [Value], value: &Value) {
        let schemas: Vec<_> = branches.iter().map(|branch| self.resolve(branch)).collect();
        // In an enum with a tag the value's members rule out all branches but one. To check every
        // branch of a recursive type would take a time that multiplies with each level.
        let mut tried: Vec<Option<Vec<Problem>>> = vec![None; branches.len()];
        for ((branch, schema), tried) in branches.iter().zip(&schemas).zip(&mut tried) {
            if schema.is_none_or(|schema| self.may_do(schema, value)) {
                let found = self.tried(branch, value);
                if found.is_empty() {
                    return;
                }
                *tried = Some(found);
            }
        }
        let tag = value.as_object().and_then(|members| Some((tag(&schemas)?, members)));
        let meant = match tag {
            Some((Tag::Const(key), members)) => {
                let said = members.get(key);
                let means = |schema: &_| said.is_some() && constant(schema, key) == said;
                match schemas.iter().position(means) {
                    Some(at) => Some(at),
                    None => return self.wrong_tag(key, &schemas, said),
                }
            }
            Some((Tag::Key, members)) => schemas.iter().position(|schema| {
                only_key(schema).is_some_and(|key| members.len() == 1 && members.contains_key(key))
            }),
            None => {
                for (branch, tried) in branches.iter().zip(&mut tried) {
                    tried.get_or_insert_with(|| self.tried(branch, value));
                }
                self.nearest(&tried, &schemas, value)
            }
        };
        match meant.map(|at| (at, tried.swap_remove(at))) {
            Some((at, found)) => {
                self.found.extend(found.unwrap_or_else(|| self.tried(&branches[at], value)))
            }
            None => {
                self.expected(&alternatives(schemas.into_iter().flatten().map(describe)), value)
            }
        }
    }

    fn tried(&self, branch: &'a Value, value: &Value) -> Vec<Problem> {
        let mut check = Check { pointer: self.pointer.clone(), found: Vec::new(), ..*self };
        check.value(branch, value);
        check.found
    }
}
