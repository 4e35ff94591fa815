use std::marker::PhantomData;

use serde::de::{Error, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

/// Reads as the value of a field that is not there: `Option` and similar types accept it, all
/// others refuse it.
pub(crate) struct Absent<E>(&'static str, PhantomData<E>);

impl Absent<serde::de::value::Error> {
    /// For whoever asks only whether a type accepts it.
    pub(crate) const VALUE: Self = Self("", PhantomData);
}

impl<E> Absent<E> {
    pub(crate) fn field(name: &'static str) -> Self {
        Self(name, PhantomData)
    }
}

impl<'de, E: Error> Deserializer<'de> for Absent<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
