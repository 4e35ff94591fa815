use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A part of a JSON text that is kept. It shares the memory of the whole text.
#[derive(Clone, Default)]
pub(in crate::agent) struct Text {
    whole: Option<Arc<str>>,
    from: usize,
    to: usize,
}

impl Text {
    pub(super) fn of(whole: &Arc<str>, part: Range<usize>) -> Self {
        Self { whole: Some(Arc::clone(whole)), from: part.start, to: part.end }
    }

    pub(in crate::agent) fn as_str(&self) -> &str {
        self.whole.as_ref().and_then(|whole| whole.get(self.from..self.to)).unwrap_or_default()
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Self {
        Self { from: 0, to: text.len(), whole: Some(text) }
    }
}

impl From<Text> for Arc<str> {
    fn from(text: Text) -> Self {
        match text {
            Text { whole: Some(whole), from: 0, to } if to == whole.len() => whole,
            part => part.as_str().into(),
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
