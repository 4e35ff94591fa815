//! Finds the branch of an `anyOf` or `oneOf` that a value means. Rust's enums have such schemas.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::super::keyword::{get, is, items, object};
use super::super::problem::Problem;
use super::part::{Kind, Part, Reading};
use super::state::Check;
use super::words::{alternatives, describe, has_type, shown};

/// How many unknown members of an object may be what was meant by a missing one.
pub(super) const MOST_STRANGERS: usize = 16;

impl<'a> Check<'a> {
    /// What a schema demands, in a few words, or what its alternatives do.
    pub(super) fn wanted(&self, schema: &'a Map<String, Value>) -> String {
        let mut kinds = vec![describe(schema)];
        for branch in branches(schema) {
            self.look(0);
            // A type has no description that says more than those of its alternatives.
            kinds.extend(self.resolve(branch).map(describe).filter(|_| kinds[0].is_empty()));
        }
        match kinds.iter().all(String::is_empty) {
            true => String::new(),
            false => alternatives(kinds),
        }
    }

    pub(super) fn is_one_of(&self, value: &Part<'_>, choices: &[Value]) -> bool {
        // A text is compared with those of about its length only.
        let bytes = if matches!(value.kind, Kind::Text) { 16 } else { 16 + value.text.len() };
        self.look(choices.len().saturating_mul(bytes));
        choices.iter().any(|choice| value.equals(choice))
    }

    /// True if `value` may match `schema`, judged by the value and its members, but not by what is
    /// inside of these.
    pub(super) fn may_do(&self, schema: &'a Map<String, Value>, value: &Part<'_>) -> bool {
        if !self.fits(schema, value) {
            return false;
        }
        let Kind::Object(members) = &value.kind else { return true };
        for name in items(schema, "required") {
            if !value.is_cut && name.as_str().is_some_and(|name| value.get(name).is_none()) {
                return false;
            }
        }
        let properties = object(schema, "properties");
        for (name, value) in members {
            let fits = match properties.and_then(|properties| properties.get(&**name)) {
                // Null may mean absence.
                Some(_) if value.is_null() && self.reading == Reading::Lenient => true,
                Some(property) => {
                    self.resolve(property).is_none_or(|property| self.fits(property, value))
                }
                None => !is(schema, "additionalProperties", false),
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// True if `value` itself matches what `schema` says of its type and of its choices.
    fn fits(&self, schema: &Map<String, Value>, value: &Part<'_>) -> bool {
        self.look(0);
        let is_other = |choices: &[Value]| !self.is_one_of(value, choices);
        match (get(schema, "const"), get(schema, "enum")) {
            (Some(only), _) if is_other(std::slice::from_ref(only)) => false,
            (_, Some(Value::Array(choices))) if is_other(choices) => false,
            _ => get(schema, "type").is_none_or(|kind| has_type(kind, value, self.reading)),
        }
    }

    /// Of the branches whose problems are all inside the value: the one that misses the fewest
    /// members, of several such, the one with the fewest problems, and of these, the one that knows
    /// the most members. `None` if others miss as many and nothing in the value tells them apart.
    pub(super) fn nearest(
        &self,
        tried: &[Option<Vec<Problem>>],
        schemas: &[Option<&Map<String, Value>>],
        value: &Part<'_>,
    ) -> Option<usize> {
        let mut names = Vec::new();
        if let Kind::Object(members) = &value.kind {
            for (name, _) in members {
                names.push(&**name);
            }
        }
        let first = &names[..names.len().min(MOST_STRANGERS)];
        let mut nearest: Option<(usize, _)> = None;
        let mut is_clear = true;
        for (at, (tried, schema)) in tried.iter().zip(schemas).enumerate() {
            let found = tried.as_deref().unwrap_or_default();
            if found.iter().any(|problem| problem.pointer.len() <= self.pointer.len()) {
                continue;
            }
            let (mut missing, mut strangers, mut is_misspelt) = (0, 0, false);
            for name in schema.map(|schema| items(schema, "required")).unwrap_or_default() {
                if let Some(name) = name.as_str().filter(|name| value.get(name).is_none()) {
                    missing += 1;
                    is_misspelt |= self.meant(name, first).is_some();
                }
            }
            let known = schema.and_then(|schema| object(schema, "properties"));
            for name in &names {
                strangers += usize::from(!known.is_some_and(|known| known.contains_key(*name)));
            }
            let distance = [missing, found.len(), usize::from(!is_misspelt), strangers];
            let says_more = is_misspelt || missing == 0 || missing < found.len();
            match nearest.map(|(_, least)| distance.cmp(&least)) {
                Some(Ordering::Greater) => {}
                Some(Ordering::Equal) => is_clear &= says_more,
                _ => (nearest, is_clear) = (Some((at, distance)), true),
            }
        }
        nearest.filter(|_| is_clear).map(|(at, _)| at)
    }

    /// The branch that the value matches in its type and its choices, if it is the only one: the
    /// value breaks a bound of it.
    pub(super) fn only_fitting(
        &self,
        schemas: &[Option<&'a Map<String, Value>>],
        value: &Part<'_>,
    ) -> Option<usize> {
        let fits = |at: &usize| schemas[*at].is_none_or(|schema| self.fits_within(schema, value));
        let mut fitting = (0..schemas.len()).filter(fits);
        fitting.next().filter(|_| fitting.next().is_none())
    }

    /// The same as [`Self::fits`], for a schema that may have alternatives and say nothing itself.
    fn fits_within(&self, schema: &'a Map<String, Value>, value: &Part<'_>) -> bool {
        let mut branches = branches(schema).peekable();
        let fits = |branch| self.resolve(branch).is_none_or(|branch| self.fits(branch, value));
        self.fits(schema, value) && (branches.peek().is_none() || branches.any(fits))
    }

    /// What any of several schemas demands.
    pub(super) fn described(&self, schemas: &[Option<&'a Map<String, Value>>]) -> String {
        let mut kinds = Vec::new();
        for schema in schemas.iter().flatten() {
            kinds.push(self.wanted(schema));
        }
        alternatives(kinds)
    }

    pub(super) fn wrong_tag(
        &mut self,
        key: &str,
        schemas: &[Option<&Map<String, Value>>],
        said: Option<&Part<'_>>,
    ) {
        let (mut constants, mut kinds) = (Vec::new(), Vec::new());
        for schema in schemas {
            if let Some(constant) = constant(schema, key) {
                constants.push(constant);
                kinds.push(constant.to_string());
            }
        }
        let known = alternatives(kinds);
        let text = match said {
            Some(said) => {
                let meant = self.meant_choice(said, &constants);
                format!("expected {known}, got {}{meant}", shown(said))
            }
            None => format!("missing, expected {known}"),
        };
        self.problem_below(key, text);
    }

    /// The only member of the value is called as no branch is.
    pub(super) fn wrong_key(
        &mut self,
        name: &str,
        schemas: &[Option<&'a Map<String, Value>>],
        value: &Part<'_>,
    ) {
        let mut keys = Vec::new();
        for schema in schemas {
            keys.extend(only_key(schema));
        }
        match self.meant(name, &keys) {
            Some(meant) => self.problem_below(name, format!("unknown, did you mean `{meant}`?")),
            None => self.expected(&self.described(schemas), value),
        }
    }
}

/// The alternatives of a schema.
fn branches(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    items(schema, "anyOf").iter().chain(items(schema, "oneOf"))
}

/// How an object names its branch.
pub(super) enum Tag<'a> {
    /// By the value of a member, which is a constant in every branch.
    Const(&'a str),
    /// By the name of its only member.
    Key,
}

pub(super) fn tag<'a>(schemas: &[Option<&'a Map<String, Value>>]) -> Option<Tag<'a>> {
    let mut objects = Vec::new();
    for schema in schemas {
        if schema.is_some_and(is_object) {
            objects.push(*schema);
        }
    }
    let first = objects.first().copied().flatten()?;
    let mut keys = object(first, "properties")?.keys();
    if let Some(key) = keys.find(|key| objects.iter().all(|schema| constant(schema, key).is_some()))
    {
        return Some(Tag::Const(key));
    }
    objects.iter().all(|schema| only_key(schema).is_some()).then_some(Tag::Key)
}

fn is_object(schema: &Map<String, Value>) -> bool {
    get(schema, "type").is_some_and(|kind| kind == "object")
}

pub(super) fn constant<'a>(
    schema: &Option<&'a Map<String, Value>>,
    key: &str,
) -> Option<&'a Value> {
    object((*schema)?, "properties")?.get(key)?.get("const")
}

pub(super) fn only_key<'a>(schema: &Option<&'a Map<String, Value>>) -> Option<&'a str> {
    let schema = (*schema).filter(|schema| is(schema, "additionalProperties", false))?;
    match (object(schema, "properties")?.len(), items(schema, "required")) {
        (1, [key]) => key.as_str(),
        _ => None,
    }
}
