//! A decoder of JSON that adds little code to a type.
//!
//! serde_json's is compiled for each type of a user, with all that it does about brackets, commas,
//! white space and errors. Here arrays and objects are read by ordinary functions, which the code
//! of a type calls. What is inside of them is read by functions that all types share, so that not
//! every program compiles a parser of numbers again. Messages and positions of errors are those of
//! serde_json.

mod error;
mod cursor;
mod scalar;
mod key;
mod parts;
mod variant;

use std::borrow::Cow;

use serde::Deserializer;
use serde::de::Visitor;

pub(super) use cursor::Cursor;
use cursor::{Opened, Wanted};
pub(super) use error::Error;
use parts::Parts;
use variant::Variant;

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.number(&visitor)?.visit(visitor)
        }
    )*};
}

macro_rules! by_serde_json {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.inner(|inner| inner.$method(visitor))
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Cursor<'de> {
    type Error = Error;

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f64
    }

    by_serde_json! { deserialize_i128 deserialize_u128 deserialize_bytes deserialize_byte_buf }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'"') => self.deserialize_str(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            Some(b'n') => self.deserialize_unit(visitor),
            _ => self.any_number(&visitor)?.deserialize_any(visitor).map_err(Error::from),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.single(&visitor)?.visit(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let truth = self.truth(&visitor)?;
        visitor.visit_bool(truth)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text(&visitor)? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.unit(&visitor)?;
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.skip()?;
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.null()? {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        // serde_json knows its own types by such names.
        match name.starts_with('$') {
            true => self.inner(|inner| inner.deserialize_newtype_struct(name, visitor)),
            false => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.open(Wanted::Array, &visitor)?;
        let value = visitor.visit_seq(Parts::of(self));
        self.close(Opened::Array, value.is_err())?;
        value
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.open(Wanted::Object, &visitor)?;
        let value = visitor.visit_map(Parts::of(self));
        self.close(Opened::Object, value.is_err())?;
        value
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let opened = self.open(Wanted::Either, &visitor)?;
        let value = match opened {
            Opened::Array => visitor.visit_seq(Parts::of(self)),
            Opened::Object => visitor.visit_map(Parts::of(self)),
        };
        self.close(opened, value.is_err())?;
        value
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let is_name = self.open_enum()?;
        let value = visitor.visit_enum(Variant { cursor: self, is_name });
        self.close_enum(is_name, value.is_err())?;
        value
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let name = self.string(&visitor)?;
        visitor.visit_str(name)
    }
}

#[cfg(test)]
mod tests;
