//! How types differ from their schemas.

use serde_json::Value;

/// A difference: in words, and which values are concerned.
pub(super) struct Difference {
    pub(super) words: &'static str,
    pub(super) concerns: fn(&Value) -> bool,
}

pub(super) const BITS_64: Difference =
    Difference { words: "range of the type", concerns: |value| has(value, &is_large) };
pub(super) const NULL: Difference =
    Difference { words: "null is absence", concerns: |value| has(value, &Value::is_null) };
pub(super) const FORMAT: Difference =
    Difference { words: "form of the text", concerns: |value| has(value, &Value::is_string) };
pub(super) const LIST: Difference = Difference {
    words: "the list of its fields is taken",
    concerns: |value| has(value, &Value::is_array),
};
pub(super) const LONGEST: Difference = Difference {
    words: "at most 64 bits of seconds",
    concerns: |value| has(value, &|it| it.as_str().is_some_and(|text| text.len() > 15)),
};
pub(super) const CLOSED: Difference = Difference {
    words: "other members are refused",
    concerns: |value| value.as_object().is_some_and(|it| it.len() > 2),
};
pub(super) const VARIANT: Difference = Difference {
    words: "a key with null may be a variant without fields",
    concerns: |value| {
        has(value, &|it| it.as_object().is_some_and(|it| it.values().any(Value::is_null)))
    },
};
pub(super) const KEYS: Difference = Difference {
    words: "range of the keys",
    concerns: |value| {
        value.as_object().is_some_and(|it| it.keys().any(|key| key.parse::<u8>().is_err()))
    },
};

/// True for a number of 64 bits or more.
fn is_large(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.abs() >= 9e18)
}

/// True if a value or a part of it is so.
fn has(value: &Value, is_so: &dyn Fn(&Value) -> bool) -> bool {
    is_so(value)
        || match value {
            Value::Array(items) => items.iter().any(|item| has(item, is_so)),
            Value::Object(members) => members.values().any(|member| has(member, is_so)),
            _ => false,
        }
}
