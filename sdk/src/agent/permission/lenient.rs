//! Reading what another version of the CLI may write otherwise: what is missing or has another type
//! costs that field, not the message.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A type that can be read from any JSON.
pub(in crate::agent) trait Lenient: Sized {
    /// What stands for a value that is not there.
    fn absent() -> Self;

    /// Reads a value; `None` if it has another type.
    fn read(value: Value) -> Option<Self>;
}

/// The members of an object, taken out one by one.
pub(in crate::agent) struct Fields(Map<String, Value>);

impl Fields {
    /// Those of a JSON text; what is no object has none.
    ///
    /// # Errors
    ///
    /// Rust's types cannot hold it, such as a number that is too large or more levels than are
    /// decoded.
    pub(in crate::agent) fn read(raw: &RawValue) -> Result<Self, serde_json::Error> {
        let value = serde_json::from_str(raw.get())
            .or_else(|_| serde_json::from_str(&without_halves(raw.get())))?;
        Ok(Self::of_value(value).unwrap_or_else(|| Self(Map::new())))
    }

    /// The same, where what cannot be read has none.
    pub(in crate::agent) fn of(raw: &RawValue) -> Self {
        Self::read(raw).unwrap_or_else(|_| Self(Map::new()))
    }

    pub(in crate::agent) fn of_value(value: Value) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Self(map)),
            _ => None,
        }
    }

    pub(in crate::agent) fn take<T: Lenient>(&mut self, name: &str) -> T {
        self.0.remove(name).and_then(T::read).unwrap_or_else(T::absent)
    }
}

/// The JSON text with U+FFFD for every half of a character: JavaScript's strings can hold such,
/// Rust's cannot.
fn without_halves(text: &str) -> String {
    let unit = |escape: &str| u16::from_str_radix(escape.strip_prefix('u')?.get(..4)?, 16).ok();
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        whole.push_str(plain);
        whole.push('\\');
        let low = escape.get(5..).and_then(|rest| unit(rest.strip_prefix('\\')?));
        let length = match (unit(escape), low) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 11,
            (Some(0xd800..=0xdfff), _) => 0,
            _ => escape.chars().next().map_or(0, char::len_utf8),
        };
        let (kept, after) = escape.split_at(length);
        whole.push_str(kept);
        rest = after;
        if length == 0 && !escape.is_empty() {
            whole.push_str("ufffd");
            rest = &escape[5..];
        }
    }
    whole.push_str(rest);
    whole
}

impl Lenient for Value {
    fn absent() -> Self {
        Self::Null
    }

    fn read(value: Value) -> Option<Self> {
        Some(value)
    }
}

impl Lenient for String {
    fn absent() -> Self {
        Self::new()
    }

    fn read(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl Lenient for bool {
    fn absent() -> Self {
        false
    }

    fn read(value: Value) -> Option<Self> {
        value.as_bool()
    }
}

impl Lenient for f64 {
    fn absent() -> Self {
        0.0
    }

    fn read(value: Value) -> Option<Self> {
        value.as_f64()
    }
}

impl Lenient for u64 {
    fn absent() -> Self {
        0
    }

    /// The CLI's numbers are JavaScript's, so a count may come with a fraction.
    fn read(value: Value) -> Option<Self> {
        value
            .as_u64()
            .or_else(|| value.as_f64().filter(|number| *number >= 0.0).map(|number| number as u64))
    }
}

impl Lenient for Map<String, Value> {
    fn absent() -> Self {
        Self::new()
    }

    fn read(value: Value) -> Option<Self> {
        Fields::of_value(value).map(|fields| fields.0)
    }
}

impl<T: Lenient> Lenient for Option<T> {
    fn absent() -> Self {
        None
    }

    fn read(value: Value) -> Option<Self> {
        (!value.is_null()).then(|| T::read(value))
    }
}

impl<T: Lenient> Lenient for Vec<T> {
    fn absent() -> Self {
        Self::new()
    }

    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Array(items) => Some(items.into_iter().filter_map(T::read).collect()),
            _ => None,
        }
    }
}

/// Structs that are read leniently: `field: Type`, or `field = "nameOnTheWire": Type`.
macro_rules! objects {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $field:ident $(= $wire:literal)?: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $crate::agent::permission::lenient::Lenient for $name {
            fn absent() -> Self {
                Self { $($field: $crate::agent::permission::lenient::Lenient::absent(),)* }
            }

            fn read(value: serde_json::Value) -> Option<Self> {
                let mut fields = $crate::agent::permission::lenient::Fields::of_value(value)?;
                Some(Self { $($field: fields.take($crate::agent::permission::lenient::wire_name!($field $(= $wire)?)),)* })
            }
        }
    )*};
}

macro_rules! wire_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident = $wire:literal) => {
        $wire
    };
}

pub(in crate::agent) use {objects, wire_name};
