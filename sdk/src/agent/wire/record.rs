//! Defines the structs, and how they are read.

use super::cursor::Cursor;
use super::field::Field;
use super::text::Text;
use crate::scan::unescape;

/// A struct that is read from a JSON object. Of several members of one name the last counts.
pub(in crate::agent) trait Record: Default {
    /// Whether it has a member `type`.
    fn has_type() -> bool;

    /// Reads the next member; `false` if the struct has none of its name, or the name is spelt in
    /// an unusual way. `None` if the value has no end.
    fn set(&mut self, json: &mut Cursor<'_>) -> Option<bool>;

    /// Keeps the text of the object.
    fn keep(&mut self, _: impl FnOnce() -> Text) {}

    /// Reads an object.
    fn fill(&mut self, json: &mut Cursor<'_>) -> Option<()> {
        let from = json.at;
        self.set_all(json)?;
        self.keep(|| json.text(from));
        Some(())
    }

    /// Reads the members of an object.
    fn set_all(&mut self, json: &mut Cursor<'_>) -> Option<()> {
        let is_first = json.enter(Self::has_type())?;
        json.parts(b'}', is_first, |json| {
            if !self.set(json)? {
                let (from, name) = (json.at, json.name()?);
                let behind = json.text.as_bytes().get(from + name.len() + 2);
                let is_unusual = behind != Some(&b':') || name.contains('\\');
                let value = json.value()?;
                if is_unusual {
                    let name = serde_json::to_string(&unescape(name)).ok()?;
                    self.set(&mut Cursor::of(&format!("{name}:{value}").into()))?;
                }
            }
            Some(())
        })
    }
}

/// Reads a text from beginning to end. `None` if it is no JSON object.
pub(in crate::agent) fn read<T: Record>(mut json: Cursor<'_>) -> Option<Box<T>> {
    let mut record = Box::<T>::default();
    record.set_all(&mut json)?;
    let whole = json.end()?;
    record.keep(|| whole);
    Some(record)
}

impl<T: Record> Field for Box<T> {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        let mut record = Self::default();
        record.fill(json)?;
        Some(record)
    }
}

/// Defines structs that are read from JSON objects. `= "name"` is a member's name where it is not
/// the field's, `=> function` reads its value.
macro_rules! record {
    (
        @one $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])*
            pub $field:ident: $type:ty $(= $($member:literal)|+)? $(=> $read:path)?,)*
            $(; $kept:ident)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        #[non_exhaustive]
        $vis struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            $($kept: $crate::agent::wire::Text,)?
        }

        $crate::agent::wire::members! {
            $name { $($field $(= $($member)|+)? $(=> $read)?,)* $(; $kept)? }
        }
    };
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($fields:tt)* })*) => {
        $($crate::agent::wire::record! { @one $(#[$meta])* $vis struct $name { $($fields)* } })*
    };
}

/// Says how a struct is read whose fields are declared elsewhere. Those that are not named keep
/// their default.
macro_rules! members {
    ($name:ident {
        $($field:ident $(= $($member:literal)|+)? $(=> $read:path)?,)* $(; $kept:ident)?
    }) => {
        impl $crate::agent::wire::Record for $name {
            fn has_type() -> bool {
                false $(|| $crate::agent::wire::named!("\"type\":".eq, $field $($($member)|+)?))*
            }

            fn set(&mut self, json: &mut $crate::agent::wire::Cursor<'_>) -> Option<bool> {
                $(if $crate::agent::wire::named!(json.is_at, $field $($($member)|+)?) {
                    if let Some(value) = json.take($crate::agent::wire::reader!($($read)?))? {
                        self.$field = value;
                    }
                    return Some(true);
                })*
                let _ = json;
                Some(false)
            }

            $(fn keep(&mut self, text: impl FnOnce() -> $crate::agent::wire::Text) {
                self.$kept = text();
            })?
        }

        impl $crate::agent::wire::Field for $name {
            fn read(json: &mut $crate::agent::wire::Cursor<'_>) -> Option<Self> {
                let mut record = Self::default();
                $crate::agent::wire::Record::fill(&mut record, json)?;
                Some(record)
            }
        }
    };
}

/// Defines [`record!`]s that keep the text they came in.
macro_rules! kept {
    ($($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* })+) => {$(
        $crate::agent::wire::record! { $(#[$meta])* pub struct $name { $($fields)* ; raw } }

        $crate::agent::wire::kept! { $name }
    )+};
    ($name:ident) => {
        /// As it came.
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::agent::wire::serialize(self.raw(), serializer)
            }
        }

        impl $name {
            /// The text that it came in; empty if it did not come from the CLI.
            pub fn raw(&self) -> &str {
                self.raw.as_str()
            }

            /// The JSON text of a member, also of one that this version does not know.
            pub fn member(&self, name: &str) -> Option<&str> {
                $crate::scan::member(self.raw(), name)
            }
        }
    };
}

macro_rules! named {
    ($on:tt.$is:ident, $field:ident) => {
        $on.$is(concat!("\"", stringify!($field), "\":"))
    };
    ($on:tt.$is:ident, $field:ident $($member:literal)|+) => {
        ($($on.$is(concat!("\"", $member, "\":")))||+)
    };
}

macro_rules! reader {
    () => {
        $crate::agent::wire::Field::read
    };
    ($read:path) => {
        $read
    };
}

pub(in crate::agent) use {kept, members, named, reader, record};
