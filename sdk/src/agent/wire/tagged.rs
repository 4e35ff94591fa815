use std::borrow::Cow;

use crate::scan::{self, Members};

/// The text of the string member `name` of an object; of several members of that name, the first.
pub(in crate::agent) fn tag<'a>(object: &'a str, name: &str) -> Option<Cow<'a, str>> {
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
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$variant_meta:meta])* $($tag:literal)|+ => $variant:ident $(($type:ty))?,)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant $(($type))?,)*
            /// One that this version does not know, whole.
            Unknown($crate::agent::RawJson),
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Unknown($crate::agent::RawJson::default())
            }
        }

        impl $name {
            /// Reads one that is known from the beginning of a text.
            fn known(text: $crate::agent::wire::Part<'_>) -> Option<(Self, usize)> {
                match $crate::agent::wire::tag(text.text(), "type").as_deref()? {
                    $($($tag)|+ => {
                        $crate::agent::wire::variant!(text, Self::$variant $(, $type)?)
                    })*
                    _ => None,
                }
            }
        }

        impl $crate::agent::wire::Field for $name {
            fn read(raw: $crate::agent::wire::Part<'_>) -> Option<Self> {
                match Self::known(raw) {
                    Some((known, length)) if length == raw.text().len() => Some(known),
                    _ => Some(Self::Unknown(raw.into())),
                }
            }

            fn take(
                text: $crate::agent::wire::Part<'_>,
            ) -> Option<$crate::agent::wire::Taken<Self>> {
                match Self::known(text) {
                    Some((known, length)) => Some((Some(known), length)),
                    None => $crate::agent::wire::take_with(text, |raw| {
                        Some(Self::Unknown(raw.into()))
                    }),
                }
            }
        }
    };
}

macro_rules! variant {
    ($text:ident, $variant:path) => {
        $crate::scan::value($text.text()).map(|raw| ($variant, raw.len()))
    };
    ($text:ident, $variant:path, $type:ty) => {
        match <$type as $crate::agent::wire::Field>::take($text)? {
            (Some(value), length) => Some(($variant(value), length)),
            (None, _) => None,
        }
    };
}

pub(in crate::agent) use {tagged, variant};
