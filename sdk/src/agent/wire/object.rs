use serde::Serialize;

use super::raw::RawJson;

/// A JSON object that is being written, without its closing brace.
#[derive(Default)]
pub(in crate::agent) struct Object(Vec<u8>);

impl Object {
    /// Adds a member. A value that cannot be written as JSON is `null`.
    pub(in crate::agent) fn member(mut self, name: &str, value: impl Serialize) -> Self {
        self.name(name);
        write_json(&mut self.0, &value);
        self
    }

    /// Adds a member if it has a value.
    pub(in crate::agent) fn optional(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.member(name, value),
            None => self,
        }
    }

    /// Adds a member that is `true`, or none.
    pub(in crate::agent) fn flag(self, name: &str, is_on: bool) -> Self {
        self.optional(name, is_on.then_some(true))
    }

    /// Adds a member whose text there is already.
    pub(in crate::agent) fn raw(mut self, name: &str, value: &RawJson) -> Self {
        self.name(name);
        self.0.extend_from_slice(value.get().as_bytes());
        self
    }

    pub(in crate::agent) fn finish(mut self) -> RawJson {
        self.0.extend_from_slice(if self.0.is_empty() { b"{}" } else { b"}" });
        RawJson::of_text(String::from_utf8(self.0).unwrap_or_default())
    }

    fn name(&mut self, name: &str) {
        if self.0.is_empty() {
            // Enough for most answers.
            self.0.reserve(256);
        }
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
        write_json(&mut self.0, name);
        self.0.push(b':');
    }
}

/// Writes `null` in place of a value that cannot be JSON.
pub(in crate::agent) fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let from = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(from);
        out.extend_from_slice(b"null");
    }
}
