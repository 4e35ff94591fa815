//! Defines the structs, and how they are read.

use super::field::Field;

/// What all messages have.
pub(super) trait Envelope {
    fn raw(&self) -> &str;
    fn uuid(&self) -> &str;
    fn session_id(&self) -> &str;
    fn keep(&mut self, raw: Box<str>);
}

/// Reads a line as a message that keeps it; gives the line back if it is no JSON object.
pub(super) fn read<T: Envelope + Field>(raw: Box<str>) -> Result<Box<T>, Box<str>> {
    match Box::<T>::read(&raw) {
        Some(mut message) => {
            message.keep(raw);
            Ok(message)
        }
        None => Err(raw),
    }
}

/// Defines a struct that is read from a JSON object. `= "name"` is a member's name where it is not
/// the field's, `=> function` reads it.
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$field_meta:meta])* pub $field:ident: $type:ty $(= $member:literal)? $(=> $read:path)?,)*
            $(; $(#[$kept_meta:meta])* $kept:ident: $kept_type:ty)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            $($(#[$kept_meta])* $kept: $kept_type,)?
        }

        impl $crate::agent::message::field::Field for $name {
            fn read(raw: &str) -> Option<Self> {
                let (record, members) = Self::walk(raw)?;
                members.finish().ok()?;
                Some(record)
            }

            fn take(text: &str) -> Option<$crate::agent::message::field::Taken<Self>> {
                let walked = Self::walk(text).map(|(record, members)| (record, members.position()));
                $crate::agent::message::field::or_skip(walked, text)
            }
        }

        impl $name {
            /// Reads the object that a text begins with; gives the place behind it.
            fn walk(text: &str) -> Option<(Self, $crate::scan::Members<'_>)> {
                let mut members = $crate::scan::Members::of(text).ok()?;
                let mut record = Self::default();
                while let Some(key) = members.key().ok()? {
                    match key {
                        $($crate::agent::message::record::name!($field $($member)?) => {
                            let (value, length) = $crate::agent::message::record::taker!($($read)?)(members.rest())?;
                            members.advance(length);
                            $crate::agent::message::field::fill(&mut record.$field, value);
                        })*
                        _ => {
                            members.value().ok()?;
                        }
                    }
                }
                Some((record, members))
            }
        }
    };
}

macro_rules! name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $member:literal) => {
        $member
    };
}

macro_rules! taker {
    () => {
        $crate::agent::message::field::Field::take
    };
    ($read:path) => {
        |text| $crate::scan::value(text).map(|raw| ($read(raw), raw.len()))
    };
}

/// Defines a message: a [`record!`] with the members that all messages have, and the text it came
/// in.
macro_rules! message {
    ($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        $crate::agent::message::record::record! {
            $(#[$meta])*
            pub struct $name {
                $($fields)*
                /// The message's own id; empty where it has none.
                pub uuid: String,
                /// The session; empty where none is named.
                pub session_id: String,
                ; raw: Box<str>
            }
        }

        impl $name {
            /// The message as the CLI wrote it.
            pub fn raw(&self) -> &str {
                &self.raw
            }
        }

        impl $crate::agent::message::record::Envelope for $name {
            fn raw(&self) -> &str {
                &self.raw
            }

            fn uuid(&self) -> &str {
                &self.uuid
            }

            fn session_id(&self) -> &str {
                &self.session_id
            }

            fn keep(&mut self, raw: Box<str>) {
                self.raw = raw;
            }
        }
    };
}

pub(super) use {message, name, record, taker};
