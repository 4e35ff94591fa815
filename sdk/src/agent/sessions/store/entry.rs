use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::scan;

/// A line of a transcript: a JSON object as text.
///
/// ```
/// use toolwright::agent::sessions::SessionEntry;
///
/// let entry = SessionEntry::parse(r#"{"type":"user","uuid":"0b5e","message":{}}"#)?;
/// assert_eq!((entry.kind(), entry.uuid()), ("user".into(), Some("0b5e".into())));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// A [`SessionStore`](super::SessionStore) keeps it as it is; what is in it is the CLI's business.
/// With serde_json it serialises as the object itself. Cloning is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionEntry(Arc<str>);

impl SessionEntry {
    /// The entry with this text, a JSON object.
    ///
    /// # Errors
    ///
    /// It is no JSON object.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let object: &RawValue = serde_json::from_str(text)?;
        match object.get().starts_with('{') {
            true => Ok(Self::of_object(object.get())),
            false => Err(serde::de::Error::custom("an entry is a JSON object")),
        }
    }

    /// The entry with a text that is known to be a JSON object.
    pub(crate) fn of_object(text: &str) -> Self {
        // A line of a transcript is one entry. Line ends can only be between the tokens of JSON.
        match text.contains(['\n', '\r']) {
            true => Self(text.replace(['\n', '\r'], " ").into()),
            false => Self(text.into()),
        }
    }

    /// The text, in one line.
    pub fn get(&self) -> &str {
        &self.0
    }

    /// What kind of entry it is, its `type`; empty without one.
    pub fn kind(&self) -> Cow<'_, str> {
        self.text("type").unwrap_or_default()
    }

    /// The id by which an entry can be known that is appended twice. Titles, tags and the like have
    /// none.
    pub fn uuid(&self) -> Option<Cow<'_, str>> {
        self.text("uuid")
    }

    /// The entry as a type of your own.
    ///
    /// # Errors
    ///
    /// The entry does not fit the type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// How many clones there are.
    #[cfg(test)]
    pub(in crate::agent::sessions) fn clones(&self) -> usize {
        Arc::strong_count(&self.0)
    }

    pub(in crate::agent::sessions) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        scan::text(&self.0, name)
    }
}

impl fmt::Debug for SessionEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for SessionEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(&self.0)
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SessionEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get()).map_err(serde::de::Error::custom)
    }
}
