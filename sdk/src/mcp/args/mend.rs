//! Rewrites arguments that a type refused to the form in which serde reads them.
//!
//! For JSON Schema `5.0` is an integer, for serde it is not. And a parameter may be lenient: it
//! takes a string with JSON in it where its type wants something else, as models write numbers and
//! lists.

use std::cell::Cell;

use serde_json::{Map, Number, Value};

use super::expected::Expected;
use super::refusal::Refusal;
use crate::mcp::schema::keyword::{choices, has_type, items, object, target};
use crate::mcp::schema::{self, check::MOST_PARTS};
use crate::mcp::words::begin_member;
use crate::scan::{self, Elements, Members};

/// The whole text with the refused arguments rewritten; `None` if that changes nothing, or if there
/// is too much of it.
pub(super) fn mended(expected: Expected<'_>, text: &str, refusals: &[Refusal]) -> Option<String> {
    let root = expected.schema?;
    let (mut is_by_type, mut is_whole) = (false, false);
    for refusal in refusals {
        let by_type = refusal.message().is_some();
        is_by_type |= by_type;
        is_whole |= by_type && refusal.name.is_empty();
    }
    if !is_by_type {
        return None;
    }
    let out = String::with_capacity(text.len());
    let text = text.trim_ascii_start();
    let bytes = Cell::new(text.len().saturating_mul(32));
    let mut mender = Mender { root, out, is_changed: false, left: MOST_PARTS, bytes };
    if is_whole {
        mender.value(text, &mender.all_of(&[root], text), false, 0)?;
    } else {
        mender.arguments(expected, text, refusals)?;
    }
    mender.is_changed.then_some(mender.out)
}

struct Mender<'a> {
    root: &'a Value,
    out: String,
    is_changed: bool,
    /// How many more parts may be looked at.
    left: usize,
    /// How many more bytes may be searched for tags.
    bytes: Cell<usize>,
}

/// The schemas that a value may have to fit.
type Schemas<'a> = Vec<&'a Map<String, Value>>;

impl<'a> Mender<'a> {
    fn arguments(
        &mut self,
        expected: Expected<'_>,
        text: &str,
        refusals: &[Refusal],
    ) -> Option<()> {
        let mut members = Members::of(text).ok()?;
        self.out.push('{');
        while let Some(key) = members.key().ok()? {
            begin_member(&mut self.out, key);
            let name = scan::unescape(key);
            let is_refused = refusals.iter().any(|it| it.name == *name && it.message().is_some());
            let length = if is_refused {
                let parameters = &mut expected.parameters.iter();
                let is_lenient = parameters.any(|it| it.name == name && it.is_lenient);
                let schemas = self.property(&[self.root.as_object()?], &name, members.rest());
                self.value(members.rest(), &schemas, is_lenient, 0)?
            } else {
                self.copy(scan::value(members.rest())?)
            };
            members.advance(length);
        }
        self.out.push('}');
        Some(())
    }

    /// Writes the value at the start of the text, and returns its length there.
    fn value(
        &mut self,
        text: &str,
        schemas: &[&'a Map<String, Value>],
        is_lenient: bool,
        depth: usize,
    ) -> Option<usize> {
        // As deep as serde_json reads.
        const DEEPEST: usize = 128;
        self.left = self.left.checked_sub(1)?;
        if schemas.is_empty() || depth > DEEPEST {
            return Some(self.copy(scan::value(text)?));
        }
        match text.as_bytes().first()? {
            b'{' => self.object(text, schemas, is_lenient, depth),
            b'[' => self.array(text, schemas, is_lenient, depth),
            b'"' => {
                let raw = scan::value(text)?;
                let inside = scan::string(raw).filter(|_| is_lenient && scan::is_json(raw));
                let inside = inside.as_deref().map(str::trim_ascii).filter(|inside| {
                    let kind = kind(inside);
                    !takes_text(schemas, inside)
                        && kind.is_some_and(|kind| takes(schemas, kind))
                        && scan::is_json(inside)
                });
                match inside {
                    Some(inside) => {
                        self.is_changed = true;
                        self.value(inside, schemas, is_lenient, depth + 1)?;
                    }
                    None => {
                        self.copy(raw);
                    }
                }
                Some(raw.len())
            }
            b'-' | b'0'..=b'9' => {
                let raw = scan::value(text)?;
                let is_integer = takes(schemas, "integer") && !says(schemas, "number");
                match integer(raw).filter(|_| is_integer) {
                    Some(integer) => {
                        self.is_changed = true;
                        self.copy(&integer);
                    }
                    None => {
                        self.copy(raw);
                    }
                }
                Some(raw.len())
            }
            _ => Some(self.copy(scan::value(text)?)),
        }
    }

    fn object(
        &mut self,
        text: &str,
        schemas: &[&'a Map<String, Value>],
        is_lenient: bool,
        depth: usize,
    ) -> Option<usize> {
        let mut members = Members::of(text).ok()?;
        self.out.push('{');
        while let Some(key) = members.key().ok()? {
            begin_member(&mut self.out, key);
            let inside = self.property(schemas, &scan::unescape(key), members.rest());
            let length = self.value(members.rest(), &inside, is_lenient, depth + 1)?;
            members.advance(length);
        }
        self.out.push('}');
        Some(members.position())
    }

    fn array(
        &mut self,
        text: &str,
        schemas: &[&'a Map<String, Value>],
        is_lenient: bool,
        depth: usize,
    ) -> Option<usize> {
        let mut elements = Elements::of(text).ok()?;
        let mut at = 0;
        self.out.push('[');
        while elements.next().ok()? {
            if at > 0 {
                self.out.push(',');
            }
            let mut inside = Vec::new();
            for schema in schemas {
                // serde also takes a struct as the array of its fields.
                let field = || object(schema, "properties")?.values().nth(at);
                let item = items(schema, "prefixItems").get(at).or(schema.get("items"));
                inside.extend(item.or_else(field));
            }
            let inside = self.all_of(&inside, elements.rest());
            let length = self.value(elements.rest(), &inside, is_lenient, depth + 1)?;
            elements.advance(length);
            at += 1;
        }
        self.out.push(']');
        Some(elements.position())
    }

    fn property(&self, schemas: &[&'a Map<String, Value>], name: &str, text: &str) -> Schemas<'a> {
        let mut named = Vec::new();
        for schema in schemas {
            if let Some(property) = object(schema, "properties").and_then(|them| them.get(name)) {
                named.push(property);
                continue;
            }
            if let Some(patterns) = object(schema, "patternProperties") {
                for pattern in patterns.values() {
                    named.push(pattern);
                }
            }
            named.extend(schema.get("additionalProperties"));
        }
        self.all_of(&named, text)
    }

    /// These schemas, with those to which they refer and their alternatives.
    fn all_of(&self, schemas: &[&'a Value], text: &str) -> Schemas<'a> {
        const MOST: usize = 64;
        let mut all = Schemas::new();
        for schema in schemas {
            if let Value::Object(schema) = schema {
                all.push(schema);
            }
        }
        let mut at = 0;
        while let Some(schema) = all.get(at).copied().filter(|_| all.len() < MOST) {
            let mut others: Vec<&Value> = Vec::new();
            for keyword in ["allOf", "anyOf", "oneOf"] {
                others.extend(items(schema, keyword));
            }
            others.extend(target(self.root, schema));
            for other in others {
                if let Value::Object(other) = other
                    && !self.is_another(other, text)
                {
                    all.push(other);
                }
            }
            at += 1;
        }
        all
    }

    /// True if a tag in the object at the start of the text says that it is not of this variant.
    fn is_another(&self, variant: &Map<String, Value>, text: &str) -> bool {
        let Some(Value::Object(properties)) = variant.get("properties") else { return false };
        for (name, tag) in properties {
            let Some(tag) = tag.get("const").and_then(Value::as_str) else { continue };
            let object = if self.bytes.get() > 0 { scan::value(text) } else { None };
            let Some(object) = object else { return false };
            self.bytes.set(self.bytes.get().saturating_sub(object.len()));
            if scan::text(object, name).is_some_and(|said| said != tag) {
                return true;
            }
        }
        false
    }

    fn copy(&mut self, text: &str) -> usize {
        self.out.push_str(text);
        text.len()
    }
}

/// True if a schema names this type.
fn says(schemas: &[&Map<String, Value>], kind: &str) -> bool {
    schemas.iter().any(|schema| has_type(schema, kind))
}

fn takes(schemas: &[&Map<String, Value>], kind: &str) -> bool {
    says(schemas, kind) || (kind == "number" && says(schemas, "integer"))
}

/// True if this text may be meant as it is. A list of other texts, such as the names of variants
/// beside variants with values, does not take it.
fn takes_text(schemas: &[&Map<String, Value>], text: &str) -> bool {
    schemas.iter().any(|schema| {
        has_type(schema, "string")
            && choices(schema).is_none_or(|all| all.iter().any(|choice| choice == text))
    })
}

/// The type of the JSON value at the start of a text.
fn kind(text: &str) -> Option<&'static str> {
    Some(match text.as_bytes().first()? {
        b'{' => "object",
        b'[' => "array",
        b't' | b'f' => "boolean",
        b'-' | b'0'..=b'9' => "number",
        _ => return None,
    })
}

/// A whole number that is written with a point or an exponent, without them.
fn integer(text: &str) -> Option<String> {
    // 128 bits have 39 digits, and a sign.
    const LONGEST: usize = 40;
    // The scanner also takes what is no number of JSON, such as `01`.
    text.parse::<Number>().ok()?;
    schema::integer(text, LONGEST).filter(|integer| integer != text)
}

#[cfg(test)]
mod tests;
