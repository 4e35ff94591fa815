use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::field::Field;

const NULL: &str = "null";

/// A JSON value as the text in which it came. Two of them are equal when their texts are.
#[derive(Clone, PartialEq, Eq)]
pub struct RawJson(
    /// Empty for `null`, so that the default needs no memory.
    Box<str>,
);

impl RawJson {
    /// The text.
    pub fn get(&self) -> &str {
        match self.0.is_empty() {
            true => NULL,
            false => &self.0,
        }
    }

    /// The value as a type of yours, or as a [`serde_json::Value`].
    ///
    /// # Errors
    ///
    /// The type takes another form, or cannot hold the value: a `Value` takes 128 levels and no
    /// number beyond a double's range.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }
}

impl Default for RawJson {
    /// `null`
    fn default() -> Self {
        Self(Box::default())
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(self.get())
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

impl Field for RawJson {
    fn read(raw: &str) -> Option<Self> {
        Some(match raw {
            NULL => Self::default(),
            _ => Self(raw.into()),
        })
    }
}
