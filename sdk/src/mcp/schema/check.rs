//! Describes what is wrong with a value, by its derived schema.
//!
//! The work is bounded: only so many parts of a value are looked at, only so many comparisons are
//! made, and only so many problems are named.

mod part;
mod words;
mod looks;
mod state;
mod hints;
mod branches;

use std::borrow::Cow;
use std::cell::RefCell;

use serde_json::{Map, Value};

use super::bounds;
use super::keyword::{get, has_name, is, items, object};
use super::problem::Problem;
use crate::scan;
use branches::{MOST_STRANGERS, Tag, constant, only_key, tag};
use part::Kind;
use state::{Check, Shared};
use words::{has_type, list, shown, types};

pub use words::distance;

pub(crate) use hints::wrapped;
pub(crate) use looks::Looks;
pub(crate) use part::{Aliases, Decoded, MOST_PARTS, Part, Reading, Refused};

/// All problems of `value`, up to one more than [`MOST`](super::MOST).
pub(crate) fn problems(
    schema: &Value,
    value: &Part<'_>,
    reading: Reading,
    aliases: Aliases,
) -> Vec<Problem> {
    let looks = Looks::at(value);
    let mut found = problems_below(schema, schema, value, reading, aliases, &looks);
    // With alternatives inside alternatives the time can double with each level.
    if looks.are_spent() {
        let text = "could mean too many things to compare them all; nest fewer levels";
        found.push(Problem::new(text));
    }
    found
}

/// What is wrong with a JSON text that a program wrote. Of a very large text only the beginning is
/// checked.
pub(crate) fn problems_of_written(schema: &Value, text: &str) -> Vec<Problem> {
    let decoded = Decoded::default();
    let Some(value) = Part::of(text, &decoded) else { return Vec::new() };
    problems_below(schema, schema, &value, Reading::Written, Aliases::None, &Looks::at(&value))
}

/// The same by a schema inside of `root`, for one of many texts.
pub(crate) fn problems_of_one(
    root: &Value,
    schema: &Value,
    text: &str,
    looks: &Looks,
) -> Vec<Problem> {
    let decoded = Decoded::default();
    let Some(value) = Part::of(text, &decoded) else { return Vec::new() };
    problems_below(root, schema, &value, Reading::Written, Aliases::None, looks)
}

fn problems_below(
    root: &Value,
    schema: &Value,
    value: &Part<'_>,
    reading: Reading,
    aliases: Aliases,
    looks: &Looks,
) -> Vec<Problem> {
    let shared = Shared { looks, known: RefCell::default(), open: RefCell::default() };
    let (pointer, found) = (String::new(), Vec::new());
    let mut check = Check { root, reading, aliases, pointer, found, shared: &shared };
    check.value(schema, value);
    check.found
}

impl<'a> Check<'a> {
    fn value(&mut self, schema: &'a Value, value: &Part<'_>) {
        if value.is_taken || self.is_enough() {
            return;
        }
        self.look(0);
        let Some(schema) = self.resolve(schema) else { return };
        if self.begin(schema, value) {
            self.resolved(schema, value);
            self.end();
        }
    }

    fn resolved(&mut self, schema: &'a Map<String, Value>, value: &Part<'_>) {
        if let Some(Value::Array(choices)) = get(schema, "enum")
            && !self.is_one_of(value, choices)
        {
            let meant = self.meant_choice(value, &Vec::from_iter(choices));
            return self.problem(format!(
                "expected {}, got {}{meant}",
                list(choices),
                shown(value)
            ));
        }
        if let Some(only) = get(schema, "const")
            && !self.is_one_of(value, std::slice::from_ref(only))
        {
            return self.expected(&only.to_string(), value);
        }
        if let Some(kind) = get(schema, "type")
            && !has_type(kind, value, self.reading)
        {
            return self.wrong_type(&self.type_and_fields(schema), &types(kind), value);
        }
        let before = self.found.len();
        let rules = self.rules(schema);
        let mut texts = Vec::new();
        let mut wrong = |text| texts.push(text);
        let mut is_too_long = false;
        match &value.kind {
            Kind::Object(members) => {
                self.look(members.len() * 64);
                self.object(schema, value, members);
                if !value.is_cut {
                    rules.members(members.len(), &mut wrong);
                }
            }
            Kind::Array { taken, items } => {
                self.array(schema, *taken, items);
                if !value.is_cut {
                    rules.items(taken + items.len(), &mut wrong);
                }
            }
            Kind::Text => {
                self.look(value.text.len());
                if let Some(text) = scan::string(value.text) {
                    is_too_long = rules.text(&text, &mut wrong);
                }
            }
            Kind::Number => {
                self.look(value.text.len());
                rules.number(value.text, &mut wrong);
            }
            Kind::Null | Kind::Boolean => {}
        }
        for text in texts {
            self.problem(text);
        }
        if self.found.len() == before {
            self.refused(schema, value);
        }
        if is_too_long {
            return;
        }
        for schema in items(schema, "allOf") {
            self.value(schema, value);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = get(schema, key) {
                self.any(branches, value);
            }
        }
    }

    fn object(
        &mut self,
        schema: &'a Map<String, Value>,
        whole: &Part<'_>,
        members: &[(Cow<'_, str>, Part<'_>)],
    ) {
        let required = items(schema, "required");
        let additional = get(schema, "additionalProperties");
        // A type notices a missing member once it has read all others, under whatever name.
        let misses = whole.refused.is_some_and(|said| said.starts_with("missing field `"));
        let may_have_aliases = match self.aliases {
            _ if misses => false,
            Aliases::Taken => true,
            Aliases::OfClosed => is(schema, "additionalProperties", false),
            Aliases::None => false,
        };
        let (mut may_be_alias, mut strangers) = (false, Vec::new());
        for (name, value) in members {
            if self.is_enough() {
                return;
            }
            let property = property(schema, name);
            if property.is_none() && additional.is_none() && strangers.len() < MOST_STRANGERS {
                strangers.push(&**name);
            }
            // What was taken under an unknown name may be an alias of what seems to be missing.
            if value.is_taken {
                may_be_alias |= property.is_none() && may_have_aliases;
                continue;
            }
            // A type that refused the value knows the name.
            let is_named = matches!(additional, None | Some(Value::Bool(_)));
            if property.is_none() && is_named && value.is_refused() {
                may_be_alias = self.aliases != Aliases::None;
                continue;
            }
            let outer = self.enter(name);
            match (property, additional) {
                (Some(_), _)
                    if self.reading == Reading::Lenient
                        && value.is_null()
                        && !has_name(required, name) => {}
                (Some(property), _) => self.value(property, value),
                (None, Some(Value::Bool(false))) => self.unknown(schema, name, whole),
                (None, Some(additional)) => self.value(additional, value),
                (None, None) => {}
            }
            self.pointer.truncate(outer);
        }
        if whole.is_cut || may_be_alias {
            return;
        }
        self.look(required.len() * members.len());
        let properties = object(schema, "properties");
        for name in required {
            let Some(name) = name.as_str().filter(|name| whole.get(name).is_none()) else {
                continue;
            };
            if self.is_enough() {
                return;
            }
            let property = properties.and_then(|properties| self.resolve(properties.get(name)?));
            let kind = property.map(|property| self.wanted(property)).unwrap_or_default();
            let expected = if kind.is_empty() { "" } else { ", expected " };
            let mut text = format!("missing{expected}{kind}");
            // Where unknown members are ignored, this is the only word about a misspelt one.
            if let Some(misspelt) = self.meant(name, &strangers) {
                text += &format!("; `{misspelt}` is unknown, did you mean `{name}`?");
            }
            self.problem_below(name, text);
        }
    }

    fn array(&mut self, schema: &'a Map<String, Value>, taken: usize, values: &[Part<'_>]) {
        let prefix = items(schema, "prefixItems");
        for (index, item) in (taken..).zip(values) {
            if self.is_enough() {
                return;
            }
            if let Some(schema) = prefix.get(index).or_else(|| get(schema, "items")) {
                let outer = self.enter(&index.to_string());
                self.value(schema, item);
                self.pointer.truncate(outer);
            }
        }
    }

    /// The value must match one of several schemas. If it matches none, the problems are those of
    /// the schema that the value means, or else of the nearest one.
    fn any(&mut self, branches: &'a [Value], value: &Part<'_>) {
        let (mut schemas, mut tried) = (Vec::new(), Vec::new());
        // In an enum with a tag the value's members rule out all branches but one. To check every
        // branch of a recursive type would take a time that multiplies with each level.
        for branch in branches {
            let schema = self.resolve(branch);
            let may_do = schema.is_none_or(|schema| self.may_do(schema, value));
            let found = may_do.then(|| self.tried(branch, value));
            if found.as_ref().is_some_and(Vec::is_empty) {
                return;
            }
            schemas.push(schema);
            tried.push(found);
        }
        let tag = match &value.kind {
            Kind::Object(members) => tag(&schemas).map(|tag| (tag, members)),
            _ => None,
        };
        let meant = match tag {
            Some((Tag::Const(key), _)) => {
                let said = value.get(key);
                let means = |schema: &_| {
                    said.zip(constant(schema, key)).is_some_and(|(said, name)| said.equals(name))
                };
                match schemas.iter().position(means) {
                    Some(at) => Some(at),
                    None if value.has_known_tag(key) => return,
                    None => return self.wrong_tag(key, &schemas, said),
                }
            }
            Some((Tag::Key, members)) => match members.as_slice() {
                [(name, inside)] => {
                    let is_it = |schema: &_| only_key(schema).is_some_and(|key| name == key);
                    match schemas.iter().position(is_it) {
                        Some(at) => Some(at),
                        None if inside.is_refused() => return,
                        None => return self.wrong_key(name, &schemas, value),
                    }
                }
                _ => None,
            },
            None => {
                for (branch, tried) in branches.iter().zip(&mut tried) {
                    if tried.is_none() {
                        *tried = Some(self.tried(branch, value));
                    }
                }
                self.nearest(&tried, &schemas, value).or_else(|| self.only_fitting(&schemas, value))
            }
        };
        match meant {
            Some(at) => {
                let tried = tried.swap_remove(at);
                self.found.append(&mut tried.unwrap_or_else(|| self.tried(&branches[at], value)));
            }
            None => {
                let expected = self.described(&schemas);
                let (mut choices, mut kinds) = (Vec::new(), Vec::new());
                for schema in schemas.iter().flatten() {
                    choices.extend(items(schema, "enum"));
                    choices.extend(get(schema, "const"));
                    if let Some(kind) = get(schema, "type") {
                        kinds.extend(types(kind));
                    }
                }
                match self.meant_choice(value, &choices) {
                    meant if meant.is_empty() => self.wrong_type(&expected, &kinds, value),
                    meant => {
                        self.problem(format!("expected {expected}, got {}{meant}", shown(value)))
                    }
                }
            }
        }
    }

    /// Reports a name that is none of those that the schema knows.
    fn unknown(&mut self, schema: &'a Map<String, Value>, name: &str, whole: &Part<'_>) {
        let mut known = Vec::new();
        for name in object(schema, "properties").into_iter().flat_map(Map::keys) {
            known.push(name.as_str());
        }
        let pattern = object(schema, "patternProperties").and_then(|them| them.keys().next());
        match pattern.filter(|_| known.is_empty()) {
            Some(pattern) => {
                self.problem(format!("unknown, expected a name that matches `{pattern}`"))
            }
            None => self.not_known(name, &known, whole),
        }
    }

    fn tried(&self, branch: &'a Value, value: &Part<'_>) -> Vec<Problem> {
        let mut check = Check { pointer: self.pointer.clone(), found: Vec::new(), ..*self };
        check.value(branch, value);
        check.found
    }
}

/// The schema of a member, by its name or by a pattern of names.
fn property<'a>(schema: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let property = object(schema, "properties").and_then(|properties| properties.get(name));
    if property.is_some() {
        return property;
    }
    for (pattern, property) in object(schema, "patternProperties")? {
        if bounds::is_match(pattern, name) {
            return Some(property);
        }
    }
    None
}
