//! What a value shows of the alternative that it means, before its bounds are checked.

use serde_json::{Map, Value};

use super::super::keyword::{self, get, items, object, one_or_more};
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
    /// How many fields a struct has.
    fields: Option<usize>,
    /// What the first element of a list may be, or the first field of a struct.
    first: Vec<Type>,
    is_map: bool,
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
        if let Some(kind) = get(schema, "type") {
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
        self.add_elements(root, schema);
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

    /// Adds what an array shows of a list, and of a struct that is written as one.
    fn add_elements(&mut self, root: &Value, schema: &Map<String, Value>) {
        let properties = object(schema, "properties");
        let additional = get(schema, "additionalProperties");
        self.is_map |= properties.is_none() && additional.is_some_and(|it| *it != false);
        self.fields = properties.map(Map::len).or(self.fields);
        let field = properties.and_then(|properties| properties.iter().next());
        let Some(first) = field.map(|(_, field)| field).or(get(schema, "items")) else { return };
        let target = first.as_object().and_then(|first| keyword::target(root, first));
        self.first.clear();
        if let Some(kind) = target.unwrap_or(first).get("type") {
            self.first.extend(one_or_more(kind).iter().filter_map(Type::named));
            // The schema of an optional field does not name null.
            if field.is_some() {
                self.first.push(Type::Null);
            }
        }
    }

    /// True if the value at the start of the text may be of this alternative.
    pub(super) fn may_be(&self, text: &str) -> bool {
        let Some(kind) = Type::of(text) else { return false };
        if !kind.is_among(&self.types) {
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

    /// True if an object has the members that this alternative needs, and an array its elements.
    /// This goes through the whole value, so it is asked only where several alternatives are left.
    pub(super) fn has_required(&self, text: &str) -> bool {
        if text.starts_with('[') {
            return self.has_elements(text) == Some(true);
        }
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

    /// True if the elements of an array may be those of a list, or the fields of a struct.
    fn has_elements(&self, text: &str) -> Option<bool> {
        if self.is_map {
            return Some(false);
        }
        let mut elements = Elements::of(text).ok()?;
        let (least, most) = match self.fields {
            Some(fields) => (self.required.len(), fields),
            None => (0, usize::MAX),
        };
        let mut count = 0;
        while elements.next().ok()? {
            let element = elements.rest();
            if count == 0 && !Type::of(element)?.is_among(&self.first) || count >= most {
                return Some(false);
            }
            elements.advance(scan::value(element)?.len());
            count += 1;
        }
        Some(count >= least)
    }
}

impl Type {
    /// True for a value of one of these types; of none there are any.
    fn is_among(self, types: &[Self]) -> bool {
        use Type::{Array, Integer, Number, Object};
        // serde also takes a struct as the array of its fields, and a tag as the first of them.
        let is_kind = |wanted: &Self| {
            *wanted == self || matches!((wanted, self), (Number, Integer) | (Object, Array))
        };
        types.is_empty() || types.iter().any(is_kind)
    }

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
