use std::borrow::Cow;

use crate::scan::{self, Members};

/// The text of the member `name` of an object; of several members of that name, the first.
pub(super) fn tag<'a>(object: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let mut members = Members::of(object).ok()?;
    while let Some(key) = members.key().ok()? {
        let value = members.value().ok()?;
        if key == name {
            return scan::string(value);
        }
    }
    None
}

/// Defines an enum of JSON objects that their `type` tells apart.
macro_rules! tagged {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $($tag:literal)|+ => $variant:ident $(($type:ty))?,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant $(($type))?,)*
            /// One that this version does not know, whole.
            Unknown(RawJson),
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Unknown(RawJson::default())
            }
        }

        impl $name {
            /// Reads one that is known from the beginning of a text.
            fn known(text: &str) -> Option<(Self, usize)> {
                match $crate::agent::message::tagged::tag(text, "type").as_deref()? {
                    $($($tag)|+ => $crate::agent::message::tagged::variant!(text, Self::$variant $(, $type)?),)*
                    _ => None,
                }
            }
        }

        impl $crate::agent::message::field::Field for $name {
            fn read(raw: &str) -> Option<Self> {
                match Self::known(raw) {
                    Some((known, length)) if length == raw.len() => Some(known),
                    _ => RawJson::read(raw).map(Self::Unknown),
                }
            }

            fn take(text: &str) -> Option<$crate::agent::message::field::Taken<Self>> {
                match Self::known(text) {
                    Some((known, length)) => Some((Some(known), length)),
                    None => RawJson::take(text).map(|(raw, length)| (raw.map(Self::Unknown), length)),
                }
            }
        }
    };
}

macro_rules! variant {
    ($text:ident, $variant:path) => {
        $crate::scan::value($text).map(|raw| ($variant, raw.len()))
    };
    ($text:ident, $variant:path, $type:ty) => {
        match <$type as $crate::agent::message::field::Field>::take($text)? {
            (Some(value), length) => Some(($variant(value), length)),
            (None, _) => None,
        }
    };
}

pub(super) use {tagged, variant};
