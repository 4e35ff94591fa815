use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::cursor::Cursor;
use super::field::Field;
use super::string::without_halves;
use super::text::Text;
use crate::scan::on_one_line;

const NULL: &str = "null";

/// A JSON value as the text in which it came.
///
/// ```
/// use toolwright::agent::{PermissionRequest, RawJson};
///
/// #[toolwright::data]
/// struct Bash {
///     command: String,
/// }
///
/// fn is_listing(input: &RawJson) -> bool {
///     input.decode::<Bash>().is_ok_and(|bash| bash.command == "ls")
/// }
/// # let _: fn(&PermissionRequest) -> bool = |request| is_listing(&request.input);
/// ```
///
/// It shares the memory of the message that it came in. Two of them are equal when their texts are.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RawJson(
    /// Empty for `null`, so that the default needs no memory.
    Text,
);

impl RawJson {
    /// The text of a value of this program's, on one line.
    ///
    /// # Errors
    ///
    /// It cannot be written as JSON.
    pub(in crate::agent) fn of(value: impl Serialize) -> Result<Self, serde_json::Error> {
        // A `RawValue` may have line ends, behind which a message of its own would begin.
        Ok(Self::of_text(on_one_line(serde_json::to_string(&value)?)))
    }

    /// `text` must be JSON.
    pub(in crate::agent) fn of_text(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        match &*text {
            NULL => Self::default(),
            _ => Self(text.into()),
        }
    }

    /// The text.
    pub fn get(&self) -> &str {
        match self.0.as_str() {
            "" => NULL,
            text => text,
        }
    }

    /// The value as a type of your own.
    ///
    /// # Errors
    ///
    /// The value does not fit the type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        decode(self.get())
    }

    /// The value as a tree. `null` if a [`Value`] cannot hold it, because it is nested more than
    /// 128 levels deep or has a number out of a double's range; [`RawJson::decode`] tells them
    /// apart. Hooks and permission callbacks never get such values.
    pub fn to_value(&self) -> Value {
        self.decode().unwrap_or_default()
    }
}

impl Field for RawJson {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        let from = json.at;
        match json.value()? {
            NULL => Some(Self::default()),
            _ => Some(Self(json.text(from))),
        }
    }
}

/// Reads an object as text; anything else has the wrong type.
pub(in crate::agent) fn object<T: From<RawJson>>(json: &mut Cursor<'_>) -> Option<T> {
    (json.byte()? == b'{').then(|| RawJson::read(json).map(T::from))?
}

/// Decodes a JSON text. Half a character, which JavaScript's strings may hold and Rust's cannot,
/// becomes U+FFFD.
pub(super) fn decode<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_halves(text)))
}

/// Decodes a line as [`decode`] does.
#[cfg(feature = "testing")]
pub(crate) fn decode_line(line: &[u8]) -> Result<Value, serde_json::Error> {
    decode(&String::from_utf8_lossy(line))
}

impl From<Value> for RawJson {
    fn from(value: Value) -> Self {
        Self::of_text(value.to_string())
    }
}

impl From<RawJson> for Arc<str> {
    fn from(raw: RawJson) -> Self {
        match raw.0.as_str() {
            "" => NULL.into(),
            _ => raw.0.into(),
        }
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
        serialize(self.get(), serializer)
    }
}

/// Writes a JSON text as it is.
///
/// # Errors
///
/// It is no JSON.
pub(in crate::agent) fn serialize<S: Serializer>(
    json: &str,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let value: &RawValue = serde_json::from_str(json).map_err(serde::ser::Error::custom)?;
    value.serialize(serializer)
}
