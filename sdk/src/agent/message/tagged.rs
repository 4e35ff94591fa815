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
            fn known(raw: &str) -> Option<Self> {
                match $crate::agent::message::tagged::tag(raw, "type").as_deref()? {
                    $($($tag)|+ => Some(Self::$variant $((<$type as $crate::agent::message::field::Field>::read(raw)?))?),)*
                    _ => None,
                }
            }
        }

        impl $crate::agent::message::field::Field for $name {
            fn read(raw: &str) -> Option<Self> {
                Self::known(raw).or_else(|| RawJson::read(raw).map(Self::Unknown))
            }
        }
    };
}

pub(super) use tagged;
