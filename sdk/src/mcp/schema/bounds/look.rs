//! What a value shows of the alternative that it means, before its bounds are checked.

use serde_json::{Map, Value};

use super::super::keyword::{self, items, object, one_or_more};
use super::equal::{all_canonical, canonical};
use crate::scan::{self, Elements, Members};

/// What an alternative demands besides bounds. A value that fails it is not of this alternative.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    /// Empty for any type.
    types: Vec<Type>,
    choices: Option<Vec<String>>,
    /// The member that names the alternative, and the names.
    tag: Option<(String, Vec<String>)>,
    required: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    Array,
    Object,
}

impl Look {
    /// A branch of a `oneOf` has the form that schemars gives to the variant of an enum: a name, or
    /// an object whose first property may be a tag.
    pub(super) fn of(root: &Value, branch: &Value, is_variant: bool) -> Self {
        let mut look = Self::default();
        look.add(root, branch, is_variant, 8);
        look
    }

    fn add(&mut self, root: &Value, branch: &Value, is_variant: bool, references: usize) {
        let Value::Object(schema) = branch else { return };
        if let Some(kind) = schema.get("type") {
            self.types.clear();
            for kind in one_or_more(kind) {
                self.types.extend(Type::named(kind));
            }
        }
        for name in items(schema, "required") {
            if let Value::String(name) = name {
                self.required.push(name.clone());
            }
        }
        if is_variant {
            self.choices = self.choices.take().or(choices(schema));
            let properties = object(schema, "properties");
            let first = properties.and_then(|properties| properties.iter().next());
            self.tag =
                first.and_then(|(name, tag)| Some((name.clone(), choices(tag.as_object()?)?)));
        }
        if let Some(target) = keyword::target(root, schema)
            && references > 0
        {
            self.add(root, target, false, references - 1);
        }
    }

    /// True if the value at the start of the text may be of this alternative.
    pub(super) fn may_be(&self, text: &str) -> bool {
        let Some(kind) = Type::of(text) else { return false };
        // serde also takes a struct as the array of its fields, and a tag as the first of them.
        let is_kind = |wanted: &Type| {
            *wanted == kind
                || matches!(
                    (wanted, kind),
                    (Type::Number, Type::Integer) | (Type::Object, Type::Array)
                )
        };
        if !self.types.is_empty() && !self.types.iter().any(is_kind) {
            return false;
        }
        if let Some(choices) = &self.choices
            && !is_one_of(choices, scan::value(text))
        {
            return false;
        }
        self.tag.as_ref().is_none_or(|(name, choices)| match kind {
            Type::Object => is_one_of(choices, member(text, name)),
            Type::Array => is_one_of(choices, first_element(text)),
            _ => true,
        })
    }

    /// True if a value, if it is an object, has the members that this alternative needs. This goes
    /// through the whole value, so it is asked only where several alternatives are left.
    pub(super) fn has_required(&self, text: &str) -> bool {
        if self.required.is_empty() || !text.starts_with('{') {
            return true;
        }
        let mut missing: Vec<&str> = self.required.iter().map(String::as_str).collect();
        let Ok(mut members) = Members::of(text) else { return false };
        while !missing.is_empty() {
            let Ok(Some(key)) = members.key() else { return false };
            let key = scan::unescape(key);
            missing.retain(|name| *name != key);
            if !missing.is_empty() && members.value().is_err() {
                return false;
            }
        }
        true
    }
}

impl Type {
    fn named(name: &Value) -> Option<Self> {
        Some(match name.as_str()? {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::Text,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    /// The type of the value at the start of the text.
    fn of(text: &str) -> Option<Self> {
        Some(match text.as_bytes().first()? {
            b'n' => Self::Null,
            b't' | b'f' => Self::Boolean,
            b'"' => Self::Text,
            b'[' => Self::Array,
            b'{' => Self::Object,
            _ if scan::value(text)?.contains(['.', 'e', 'E']) => Self::Number,
            _ => Self::Integer,
        })
    }
}

fn choices(schema: &Map<String, Value>) -> Option<Vec<String>> {
    keyword::choices(schema).map(all_canonical)
}

/// The first member of this name. Unlike the search for the last one this ends at a tag, which most
/// objects have in front.
fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut members = Members::of(text).ok()?;
    while let Some(key) = members.key().ok()? {
        let value = members.value().ok()?;
        if scan::unescape(key) == name {
            return Some(value);
        }
    }
    None
}

fn first_element(text: &str) -> Option<&str> {
    let mut elements = Elements::of(text).ok()?;
    elements.next().ok()?.then(|| scan::value(elements.rest()))?
}

fn is_one_of(choices: &[String], value: Option<&str>) -> bool {
    value.and_then(canonical).is_some_and(|value| choices.contains(&value))
}
