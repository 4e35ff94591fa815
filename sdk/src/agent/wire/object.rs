use serde::Serialize;

use super::raw::RawJson;

/// A JSON object that is being written, without its closing brace.
#[derive(Default)]
pub(in crate::agent) struct Object(String);

impl Object {
    /// Adds a member. A value that cannot be written as JSON is `null`.
    pub(in crate::agent) fn member(self, name: &str, value: impl Serialize) -> Self {
        self.raw(name, &RawJson::of(value).unwrap_or_default())
    }

    /// Adds a member if it has a value.
    pub(in crate::agent) fn optional(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.member(name, value),
            None => self,
        }
    }

    /// Adds a member whose text there is already.
    pub(in crate::agent) fn raw(mut self, name: &str, value: &RawJson) -> Self {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0 += RawJson::of(name).unwrap_or_default().get();
        self.0.push(':');
        self.0 += value.get();
        self
    }

    pub(in crate::agent) fn finish(mut self) -> RawJson {
        self.0 += if self.0.is_empty() { "{}" } else { "}" };
        RawJson::of_text(self.0)
    }
}
