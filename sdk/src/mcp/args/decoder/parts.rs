use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::cursor::Cursor;
use super::error::Error;
use super::key::Key;

/// The parts of an array or object.
pub(super) struct Parts<'a, 'de> {
    cursor: &'a mut Cursor<'de>,
    is_first: bool,
}

impl<'a, 'de> Parts<'a, 'de> {
    pub(super) fn of(cursor: &'a mut Cursor<'de>) -> Self {
        Self { cursor, is_first: true }
    }
}

// `match` in place of `?` and `map`, for which the compiler generates more code in each type.
impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        match self.cursor.element(std::mem::replace(&mut self.is_first, false)) {
            Ok(true) => match seed.deserialize(&mut *self.cursor) {
                Ok(value) => Ok(Some(value)),
                Err(error) => Err(error),
            },
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl<'de> MapAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        match self.cursor.key(std::mem::replace(&mut self.is_first, false)) {
            Ok(true) => match seed.deserialize(Key(self.cursor)) {
                Ok(value) => Ok(Some(value)),
                Err(error) => Err(error),
            },
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        match self.cursor.colon() {
            Ok(()) => seed.deserialize(&mut *self.cursor),
            Err(error) => Err(error),
        }
    }
}
