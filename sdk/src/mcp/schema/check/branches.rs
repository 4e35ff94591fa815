//! `anyOf` and `oneOf`, which are how schemas write Rust's enums.

use serde_json::{Map, Value};

use super::words::{alternatives, describe, shown};
use super::{Check, Problem};

impl<'a> Check<'a> {
    /// One of several schemas must do. If none does, the one that was meant words the problem, or else the one that comes nearest.
    pub(super) fn any(&mut self, branches: &'a [Value], value: &Value) {
        let tried: Vec<_> = branches.iter().map(|branch| self.tried(branch, value)).collect();
        if tried.iter().any(Vec::is_empty) {
            return;
        }
        let schemas: Vec<_> = branches.iter().map(|branch| self.resolve(branch)).collect();
        let tag = value.as_object().and_then(|members| Some((tag(&schemas)?, members)));
        let meant = match tag {
            Some((Tag::Const(key), members)) => match members.get(key) {
                Some(said) => match schemas.iter().position(|schema| constant(schema, key) == Some(said)) {
                    Some(at) => Some(at),
                    None => return self.wrong_tag(key, &schemas, Some(said)),
                },
                None => return self.wrong_tag(key, &schemas, None),
            },
            Some((Tag::Key, members)) => {
                schemas.iter().position(|schema| only_key(schema).is_some_and(|key| members.len() == 1 && members.contains_key(key)))
            }
            None => self.nearest(&tried, &schemas, value),
        };
        match meant {
            Some(at) => self.found.extend(tried.into_iter().nth(at).into_iter().flatten()),
            None => self.expected(&alternatives(schemas.into_iter().flatten().map(describe)), value),
        }
    }

    fn tried(&self, branch: &'a Value, value: &Value) -> Vec<Problem> {
        let mut check = Check { root: self.root, null: self.null, pointer: self.pointer.clone(), found: Vec::new() };
        check.value(branch, value);
        check.found
    }

    /// Of the branches whose problems are all inside the value the one that misses the fewest members, and then the one with the fewest problems.
    fn nearest(&self, tried: &[Vec<Problem>], schemas: &[Option<&Map<String, Value>>], value: &Value) -> Option<usize> {
        let inside = |at: &usize| tried[*at].iter().all(|problem| problem.pointer.len() > self.pointer.len());
        let missing = |at: usize| {
            let required = schemas[at].and_then(|schema| schema.get("required")?.as_array());
            required.into_iter().flatten().filter_map(Value::as_str).filter(|name| value.get(name).is_none()).count()
        };
        (0..tried.len()).filter(inside).min_by_key(|at| (missing(*at), tried[*at].len()))
    }

    fn wrong_tag(&mut self, key: &str, schemas: &[Option<&Map<String, Value>>], said: Option<&Value>) {
        let known = alternatives(schemas.iter().filter_map(|schema| constant(schema, key)).map(Value::to_string));
        self.below(key, |check| match said {
            Some(said) => check.problem(format!("expected {known}, got {}", shown(said))),
            None => check.problem(format!("missing, expected {known}")),
        });
    }
}

/// How an object says which branch it means.
enum Tag<'a> {
    /// By the value of a member, which is a constant in every branch.
    Const(&'a str),
    /// By the name of its only member.
    Key,
}

fn tag<'a>(schemas: &[Option<&'a Map<String, Value>>]) -> Option<Tag<'a>> {
    let objects: Vec<_> = schemas.iter().copied().filter(|schema| schema.is_some_and(is_object)).collect();
    let first = objects.first().copied().flatten()?;
    let mut keys = first.get("properties")?.as_object()?.keys();
    if let Some(key) = keys.find(|key| objects.iter().all(|schema| constant(schema, key).is_some())) {
        return Some(Tag::Const(key));
    }
    objects.iter().all(|schema| only_key(schema).is_some()).then_some(Tag::Key)
}

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

fn constant<'a>(schema: &Option<&'a Map<String, Value>>, key: &str) -> Option<&'a Value> {
    (*schema)?.get("properties")?.get(key)?.get("const")
}

fn only_key<'a>(schema: &Option<&'a Map<String, Value>>) -> Option<&'a str> {
    let schema = (*schema).filter(|schema| schema.get("additionalProperties").is_some_and(|more| more == &Value::Bool(false)))?;
    match (schema.get("properties")?.as_object()?.len(), schema.get("required")?.as_array()?.as_slice()) {
        (1, [key]) => key.as_str(),
        _ => None,
    }
}
