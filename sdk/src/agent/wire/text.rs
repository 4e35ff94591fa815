use std::fmt;
use std::sync::Arc;

/// A part of the JSON text that is being read.
#[derive(Debug, Clone, Copy)]
pub(in crate::agent) struct Part<'a> {
    whole: &'a Arc<str>,
    text: &'a str,
}

/// A part of a JSON text that is kept. It shares the memory of the whole text.
#[derive(Clone, Default)]
pub(in crate::agent) struct Text {
    whole: Arc<str>,
    from: usize,
    to: usize,
}

impl<'a> Part<'a> {
    pub(in crate::agent) fn whole(text: &'a Arc<str>) -> Self {
        Self { whole: text, text }
    }

    /// A part of this part.
    pub(in crate::agent) fn at(self, text: &'a str) -> Self {
        Self { text, ..self }
    }

    pub(in crate::agent) fn text(self) -> &'a str {
        self.text
    }
}

impl Text {
    pub(in crate::agent) fn as_str(&self) -> &str {
        self.whole.get(self.from..self.to).unwrap_or_default()
    }
}

impl From<Part<'_>> for Text {
    fn from(Part { whole, text }: Part<'_>) -> Self {
        let from = text.as_ptr().addr().wrapping_sub(whole.as_ptr().addr());
        match from.checked_add(text.len()).filter(|to| *to <= whole.len()) {
            Some(to) => Self { whole: Arc::clone(whole), from, to },
            None => text.to_owned().into(),
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self { from: 0, to: text.len(), whole: text.into() }
    }
}

impl From<Text> for Arc<str> {
    fn from(text: Text) -> Self {
        match text.as_str().len() == text.whole.len() {
            true => text.whole,
            false => text.as_str().into(),
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
