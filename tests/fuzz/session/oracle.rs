//! What serde_json says about a line, and what follows from that for its answer.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::rules::{Rule, rule};

/// The answer that a line must have.
#[derive(Debug, PartialEq)]
pub(super) enum Expected<'a> {
    /// None.
    Silence,
    /// One without an id: it is an array, or has an id that is none.
    Refusal,
    /// None, and the call or subscription with this id ends, if there is one.
    Cancel(&'a str),
    /// None, and the question with this id is answered, if there is one.
    Reply(&'a str),
    /// None, or one of -32700: serde_json refuses the text.
    Unreadable,
    /// One, with this id.
    Answer(&'a str, Rule),
}

/// A JSON-RPC message; of members with the same key the last one counts.
#[derive(Default)]
struct Message<'a> {
    jsonrpc: Option<&'a str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Option<&'a str>,
    has_answer: bool,
}

pub(super) fn expected(line: &[u8]) -> Expected<'_> {
    let Ok(text) = std::str::from_utf8(line) else { return Expected::Unreadable };
    let Ok(message) = serde_json::from_str::<Message<'_>>(text) else {
        return match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if text.trim_start().starts_with('[') => Expected::Refusal,
            Ok(_) => Expected::Silence,
            Err(_) => Expected::Unreadable,
        };
    };
    if message.method.is_none() && message.has_answer {
        // A client whose numbers are all floating-point writes `1.0`.
        let id = message.id.map(|id| id.strip_suffix(".0").unwrap_or(id));
        return id.map_or(Expected::Silence, Expected::Reply);
    }
    let method = message.method.and_then(string);
    let is_valid = message.jsonrpc.and_then(string).as_deref() == Some("2.0") && method.is_some();
    let Some(id) = message.id else {
        let is_cancel = is_valid && method.as_deref() == Some("notifications/cancelled");
        let params = message.params.filter(|_| is_cancel).unwrap_or("null");
        return match last(params, "requestId").filter(|id| is_id(id)) {
            Some(id) => Expected::Cancel(id),
            None => Expected::Silence,
        };
    };
    let first = message.params.map_or(b'n', |params| params.as_bytes()[0]);
    let rule = match (is_id(id), method.filter(|_| is_valid), first) {
        (false, ..) => return Expected::Refusal,
        (_, None, _) => Rule::Unread(-32600),
        // Half a character is a text for one reader and none for another.
        (.., b'{' | b'n') if ["\\ud", "\\uD"].iter().any(|half| text.contains(half)) => Rule::Any,
        (_, Some(method), b'{' | b'n') => rule(&method, message.params),
        _ => Rule::Unread(-32602),
    };
    Expected::Answer(id, rule)
}

/// MCP: a string or an integer. What is written with an exponent is none for this server.
fn is_id(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    raw.starts_with('"') || digits.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn string(raw: &str) -> Option<Cow<'_, str>> {
    match raw.contains('\\') {
        false => Some(raw.strip_prefix('"')?.strip_suffix('"')?.into()),
        true => serde_json::from_str::<String>(raw).ok().map(Into::into),
    }
}

/// The last member `name` of an object.
pub(super) fn last<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut found = None;
    each(&mut serde_json::Deserializer::from_str(object), |key, value| {
        if key == name {
            found = Some(value);
        }
    })
    .ok()?;
    found
}

pub(super) fn each<'de, D: Deserializer<'de>>(
    from: D,
    take: impl FnMut(&str, &'de str),
) -> Result<(), D::Error> {
    struct Each<F>(F);
    impl<'de, F: FnMut(&str, &'de str)> Visitor<'de> for Each<F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
            while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                if let Some(key) = string(key.get()) {
                    (self.0)(&key, value.get());
                }
            }
            Ok(())
        }
    }
    from.deserialize_map(Each(take))
}

impl<'de> Deserialize<'de> for Message<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut message = Self::default();
        each(from, |key, value| match key {
            "jsonrpc" => message.jsonrpc = Some(value),
            "id" => message.id = Some(value),
            "method" => message.method = Some(value),
            "params" => message.params = Some(value),
            "result" | "error" => message.has_answer = true,
            _ => {}
        })?;
        Ok(message)
    }
}
