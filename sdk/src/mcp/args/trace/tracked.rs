//! A deserializer, and all that belongs to it, wrapped.

use std::cell::RefCell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// The counts of the parts through which an error has passed, the innermost first.
pub(super) struct Steps(pub(super) RefCell<Vec<usize>>);

/// Something that takes part in decoding.
pub(super) struct Tracked<'s, X> {
    inner: X,
    steps: &'s Steps,
    /// How many parts were begun.
    begun: usize,
}

impl Steps {
    #[cold]
    fn note<E>(&self, part: usize, error: E) -> E {
        self.0.borrow_mut().push(part);
        error
    }
}

impl<'s, X> Tracked<'s, X> {
    pub(super) fn new(inner: X, steps: &'s Steps) -> Self {
        Self { inner, steps, begun: 0 }
    }

    /// Notes an error in the part that was begun last.
    #[cold]
    fn note<E>(&self, error: E) -> E {
        self.steps.note(self.begun.saturating_sub(1), error)
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(
            self, $($name: $type,)* visitor: V,
        ) -> Result<V::Value, D::Error> {
            self.inner.$method($($name,)* Tracked::new(visitor, self.steps))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Tracked<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident($type:ty);)*) => {$(
        #[inline]
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Tracked<'_, V> {
    type Value = V::Value;

    visit! {
        visit_bool(bool);
        visit_i8(i8);
        visit_i16(i16);
        visit_i32(i32);
        visit_i64(i64);
        visit_i128(i128);
        visit_u8(u8);
        visit_u16(u16);
        visit_u32(u32);
        visit_u64(u64);
        visit_u128(u128);
        visit_f32(f32);
        visit_f64(f64);
        visit_char(char);
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Tracked::new(value, self.steps))
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Tracked::new(value, self.steps))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Tracked::new(items, self.steps))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Tracked::new(members, self.steps))
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(Tracked::new(variant, self.steps))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Tracked<'_, S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Tracked::new(deserializer, self.steps))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Tracked<'_, A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.begun += 1;
        let element = self.inner.next_element_seed(Tracked::new(seed, self.steps));
        element.map_err(|error| self.note(error))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Tracked<'_, A> {
    type Error = A::Error;

    // An error in a key, such as that of an unknown field, is one of the object.
    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.begun += 1;
        self.inner.next_key_seed(seed)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let value = self.inner.next_value_seed(Tracked::new(seed, self.steps));
        value.map_err(|error| self.note(error))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 's, A: EnumAccess<'de>> EnumAccess<'de> for Tracked<'s, A> {
    type Error = A::Error;
    type Variant = Tracked<'s, A::Variant>;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (name, variant) = self.inner.variant_seed(seed)?;
        Ok((name, Tracked::new(variant, self.steps)))
    }
}

/// The data of a variant are the value of the only member of its object.
impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Tracked<'_, A> {
    type Error = A::Error;

    #[inline]
    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant().map_err(|error| self.steps.note(0, error))
    }

    #[inline]
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let value = self.inner.newtype_variant_seed(Tracked::new(seed, self.steps));
        value.map_err(|error| self.steps.note(0, error))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let value = self.inner.tuple_variant(length, Tracked::new(visitor, self.steps));
        value.map_err(|error| self.steps.note(0, error))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let value = self.inner.struct_variant(fields, Tracked::new(visitor, self.steps));
        value.map_err(|error| self.steps.note(0, error))
    }
}
