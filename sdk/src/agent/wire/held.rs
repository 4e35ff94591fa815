use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::raw::decode;

/// Checks that a text is JSON which a [`serde_json::Value`] can hold.
///
/// Functions that decide are not asked about anything else: they could be shown less than there is.
///
/// # Errors
///
/// It is no JSON, a number is out of range, or it is nested more than 128 levels deep.
pub(in crate::agent) fn check(text: &str) -> Result<(), serde_json::Error> {
    decode::<Held>(text).map(drop)
}

/// Any value, which is looked at and not kept.
struct Held;

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

macro_rules! scalars {
    ($($visit:ident $type:ty,)*) => {
        $(fn $visit<E>(self, _: $type) -> Result<Self, E> {
            Ok(self)
        })*
    };
}

impl<'de> Visitor<'de> for Held {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    scalars! { visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str, }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self, A::Error> {
        while elements.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        while members.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}
