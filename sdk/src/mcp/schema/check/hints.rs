//! Hints for mistakes that models often make.

use serde_json::{Map, Value};

use super::super::keyword::{get, has_name, items, object, text};
use super::super::problem::{Problem, clipped, step, such_as};
use super::part::{Decoded, Kind, Part};
use super::state::Check;
use super::words::{distance, has_one_type, quoted, shown, type_name};
use crate::mcp::words::{join, split_last};
use crate::scan;

/// The most fields of an object that are listed.
const MOST_FIELDS: usize = 8;

impl<'a> Check<'a> {
    /// Reports a value of a wrong type. `kinds` are the types that it may have.
    pub(super) fn wrong_type(&mut self, expected: &str, kinds: &[&str], got: &Part<'_>) {
        self.look(got.text.len());
        let unquoted = unquoted(kinds, got).unwrap_or_default();
        self.problem(format!("expected {expected}, got {}{unquoted}", shown(got)));
    }

    /// The type of a schema, with the fields if it is an object's, or else with its examples.
    pub(super) fn type_and_fields(&self, schema: &'a Map<String, Value>) -> String {
        let kind = get(schema, "type").map(type_name).unwrap_or_default();
        let properties = match object(schema, "properties") {
            Some(fields) if kind == "object" && !fields.is_empty() => fields,
            _ => return kind + &such_as(schema),
        };
        let required = items(schema, "required");
        let mut fields = Vec::new();
        for (name, field) in properties.iter().take(MOST_FIELDS) {
            let kind = self.resolve(field).and_then(|field| get(field, "type")).map(type_name);
            let said = match (kind, has_name(required, name)) {
                (Some(kind), true) => format!(" ({kind})"),
                (Some(kind), false) => format!(" ({kind}, optional)"),
                (None, true) => String::new(),
                (None, false) => " (optional)".to_owned(),
            };
            fields.push(format!("`{name}`{said}"));
        }
        if properties.len() > MOST_FIELDS {
            fields.push(format!("{} more", properties.len() - MOST_FIELDS));
        }
        format!("object with {}", join(&fields, ", "))
    }

    /// Reports a member of this name, which is none of those that are known.
    pub(super) fn not_known(&mut self, name: &str, known: &[&str], given: &Part<'_>) {
        // A member that is there already was not meant.
        self.look(known.len() * given.members());
        let mut absent = Vec::new();
        for known in known {
            if given.get(known).is_none() {
                absent.push(*known);
            }
        }
        self.problem(match (self.meant(name, &absent), known) {
            (Some(nearest), _) => format!("unknown, did you mean `{nearest}`?"),
            (None, []) => "unknown, there are no arguments".into(),
            (None, known) => format!("unknown, known are {}", quoted(known)),
        });
    }

    /// The name that was meant by another one.
    pub(super) fn meant<'n>(&self, name: &str, known: &[&'n str]) -> Option<&'n str> {
        let mut bytes = 0;
        for known in known {
            // To compare two names takes a step for each pair of their letters.
            bytes += 1024 + 8 * name.len().min(64) * known.len().min(64);
        }
        self.look(bytes);
        nearest(name, known)
    }

    /// The choice that was meant by a text, as a question.
    pub(super) fn meant_choice(&self, got: &Part<'_>, choices: &[&Value]) -> String {
        const LONG: usize = 1000;
        let got = Some(got.text).filter(|text| text.len() <= LONG).and_then(scan::string);
        let Some(got) = got else { return String::new() };
        let mut names = Vec::new();
        for choice in choices {
            names.extend(choice.as_str());
        }
        let meant = self.meant(&got, &names);
        meant.map(|meant| format!(", did you mean {}?", Value::from(meant))).unwrap_or_default()
    }

    /// Reports a value that decoding refused although its schema says nothing against it.
    pub(super) fn refused(&mut self, schema: &Map<String, Value>, value: &Part<'_>) {
        let Some(message) = value.refused else { return };
        let expected = match value.kind {
            Kind::Number => range(message).filter(|_| has_one_type("integer", value)),
            Kind::Text => text(schema, "format").and_then(example),
            _ => None,
        };
        match (expected, &value.kind) {
            (Some(range), Kind::Number) => {
                self.problem(format!("expected {range}, got {}", clipped(value.text, 60)))
            }
            (Some(format), _) => {
                self.problem(format!("expected {format}, got {} ({message})", shown(value)))
            }
            (None, _) => {}
        }
    }
}

/// The problem of arguments that are all in one member which is not known.
pub(crate) fn wrapped(schema: &Value, arguments: &Part<'_>) -> Option<Problem> {
    let Kind::Object(members) = &arguments.kind else { return None };
    let [(name, inside)] = members.as_slice() else { return None };
    let Kind::Object(inside) = &inside.kind else { return None };
    let properties = schema.get("properties")?.as_object()?;
    let is_known = |name: &str| properties.contains_key(name);
    let is_wrapper = !is_known(name) && !inside.is_empty();
    (is_wrapper && inside.iter().all(|(name, _)| is_known(name))).then(|| Problem {
        pointer: step(name),
        text: "unknown, and wraps all arguments: send its members themselves".into(),
    })
}

/// The name that was meant by another one: at most a third of the letters differ, or one letter.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let mut least = None;
    for known in known {
        let found = (distance(name, known), *known);
        if least.is_none_or(|least| found < least) {
            least = Some(found);
        }
    }
    let (distance, nearest) = least?;
    let letters = nearest.chars().count().min(name.chars().count());
    (distance <= (letters / 3).max(1) && distance < letters).then_some(nearest)
}

/// What to do about a string that holds a value of one of these types.
fn unquoted(kinds: &[&str], got: &Part<'_>) -> Option<String> {
    let text = scan::string(got.text).filter(|_| matches!(got.kind, Kind::Text))?;
    let text = text.trim_ascii();
    // A part may end before the text does.
    if !scan::is_json(text) {
        return None;
    }
    let decoded = Decoded::default();
    let inside = Part::of(text, &decoded)?;
    if !kinds.iter().any(|kind| has_one_type(kind, &inside)) {
        return None;
    }
    Some(match inside.kind {
        Kind::Object(_) => ": send the object itself, not a string of it".into(),
        Kind::Array { .. } => ": send the array itself, not a string of it".into(),
        Kind::Number | Kind::Boolean => format!(": write {} without quotes", clipped(text, 60)),
        Kind::Null | Kind::Text => return None,
    })
}

/// The values of the integer type that serde expected, by the end of its message. A schema does not
/// say bounds of 64 bits.
fn range(message: &str) -> Option<String> {
    let (least, most): (i128, u128) = match split_last(message, ", expected ")?.1 {
        "i64" | "isize" => (i64::MIN.into(), i64::MAX as u128),
        "u64" | "usize" => (0, u64::MAX.into()),
        "i128" => (i128::MIN, i128::MAX as u128),
        "u128" => (0, u128::MAX),
        _ => return None,
    };
    Some(format!("{least} to {most}"))
}

/// What a text of a format is, with an example.
fn example(format: &str) -> Option<String> {
    let words = match format {
        "date-time" => "a date and time such as 2026-11-22T02:50:00Z",
        "date" => "a date such as 2026-11-22",
        "time" => "a time such as 02:50:00Z",
        "duration" => "a duration such as PT1H30M",
        "ipv4" => "an IPv4 address such as 192.0.2.1",
        "ipv6" => "an IPv6 address such as 2001:db8::1",
        "uri" => "a URI such as https://example.com/",
        "uuid" => "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8",
        _ => return None,
    };
    Some(words.to_owned())
}
