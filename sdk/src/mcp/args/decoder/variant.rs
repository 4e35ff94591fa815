use serde::Deserializer;
use serde::de::{
    Deserialize, DeserializeSeed, EnumAccess, Error as _, Unexpected, VariantAccess, Visitor,
};

use super::cursor::Cursor;
use super::error::Error;

/// The variant of an enum: its name alone, or an object with the name and the content.
pub(super) struct Variant<'a, 'de> {
    pub(super) cursor: &'a mut Cursor<'de>,
    pub(super) is_name: bool,
}

impl<'de> Variant<'_, 'de> {
    /// Fails if there is no content.
    #[inline(never)]
    fn has(&self, expected: &str) -> Result<(), Error> {
        match self.is_name {
            true => Err(Error::invalid_type(Unexpected::UnitVariant, &expected)),
            false => Ok(()),
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name = seed.deserialize(&mut *self.cursor)?;
        if !self.is_name {
            self.cursor.colon()?;
        }
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        if self.is_name { Ok(()) } else { <()>::deserialize(self.cursor) }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        self.has("newtype variant")?;
        seed.deserialize(self.cursor)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.has("tuple variant")?;
        self.cursor.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.has("struct variant")?;
        self.cursor.deserialize_struct("", fields, visitor)
    }
}
