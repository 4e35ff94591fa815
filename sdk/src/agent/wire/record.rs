//! Defines the structs, and how they are read.

use super::field::{Field, Taken, or_skip};
use super::text::Part;
use crate::scan::{Malformed, Members, unescape};

/// A struct that is read from a JSON object. Of several members of one name the last counts.
pub(in crate::agent) trait Record: Default + Field {
    /// Reads the value of the member `name` from the beginning of a text and gives its length;
    /// `None` if the struct has no such member.
    fn set(&mut self, name: &str, value: Part<'_>) -> Result<Option<usize>, Malformed>;

    /// Keeps the text of the object.
    fn keep(&mut self, _: Part<'_>) {}
}

/// [`Field::read`](super::Field::read) of all structs.
pub(in crate::agent) fn read_record<T: Record>(raw: Part<'_>) -> Option<T> {
    let (mut record, members) = walk::<T>(raw).ok()?;
    members.finish().ok()?;
    record.keep(raw);
    Some(record)
}

/// [`Field::take`](super::Field::take) of all structs.
pub(in crate::agent) fn take_record<T: Record>(text: Part<'_>) -> Option<Taken<T>> {
    let walked = walk::<T>(text).ok().and_then(|(mut record, members)| {
        let length = members.position();
        record.keep(text.at(text.text().get(..length)?));
        Some((record, length))
    });
    or_skip(walked, text)
}

/// Reads the object that a text begins with; gives the place behind it.
fn walk<'a, T: Record>(text: Part<'a>) -> Result<(T, Members<'a>), Malformed> {
    let mut members = Members::of(text.text())?;
    let mut record = T::default();
    while let Some(name) = members.key()? {
        let value = text.at(members.rest());
        let length = match record.set(name, value)? {
            None if name.contains('\\') => record.set(&unescape(name), value)?,
            length => length,
        };
        match length {
            Some(length) => members.advance(length),
            None => drop(members.value()?),
        }
    }
    Ok((record, members))
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
            fn set(
                &mut self,
                name: &str,
                value: $crate::agent::wire::Part<'_>,
            ) -> Result<Option<usize>, $crate::scan::Malformed> {
                match name {
                    $($crate::agent::wire::name!($field $($($member)|+)?) => {
                        let (value, length) = $crate::agent::wire::taker!($($read)?)(value)
                            .ok_or($crate::scan::Malformed)?;
                        if let Some(value) = value {
                            self.$field = value;
                        }
                        Ok(Some(length))
                    })*
                    _ => {
                        let _ = value;
                        Ok(None)
                    }
                }
            }

            $(fn keep(&mut self, whole: $crate::agent::wire::Part<'_>) {
                self.$kept = whole.into();
            })?
        }

        impl $crate::agent::wire::Field for $name {
            fn read(raw: $crate::agent::wire::Part<'_>) -> Option<Self> {
                $crate::agent::wire::read_record(raw)
            }

            fn take(
                text: $crate::agent::wire::Part<'_>,
            ) -> Option<$crate::agent::wire::Taken<Self>> {
                $crate::agent::wire::take_record(text)
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

macro_rules! name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $($member:literal)|+) => {
        $($member)|+
    };
}

macro_rules! taker {
    () => {
        $crate::agent::wire::Field::take
    };
    ($read:path) => {
        |text| $crate::agent::wire::take_with(text, $read)
    };
}

pub(in crate::agent) use {kept, members, name, record, taker};
