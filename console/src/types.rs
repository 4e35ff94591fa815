//! JSON types, of which a value may have one of several.

use serde_json::Value;

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Types(u8);

/// Their names in schemas. `integer` is a number here.
pub(crate) const NAMES: [&str; 6] = ["string", "number", "boolean", "array", "object", "null"];

impl Types {
    /// Every type.
    pub const ALL: Self = Self(0b11_1111);
    pub(crate) const NONE: Self = Self(0);
    /// Strings alone.
    pub const STRING: Self = Self(1);
    /// Arrays alone.
    pub const ARRAY: Self = Self(1 << 3);

    /// The type of a value.
    pub fn of(value: &Value) -> Self {
        Self::named(match value {
            Value::String(_) => "string",
            Value::Number(_) => "number",
            Value::Bool(_) => "boolean",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
            Value::Null => "null",
        })
    }

    /// True if all of `types` are among these.
    pub fn holds(self, types: Self) -> bool {
        self.0 & types.0 == types.0
    }

    pub(crate) fn named(name: &str) -> Self {
        let name = if name == "integer" { "number" } else { name };
        NAMES.iter().position(|known| *known == name).map_or(Self::ALL, |at| Self(1 << at))
    }

    /// The types that the elements of an array stand for.
    pub(crate) fn any<'a>(values: &'a Value, of: &mut dyn FnMut(&'a Value) -> Self) -> Self {
        let mut types = Self::NONE;
        for value in elements(values) {
            types = types.or(of(value));
        }
        types
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The elements of an array. Anything else has none.
pub(crate) fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
