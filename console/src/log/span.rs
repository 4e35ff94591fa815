//! A span with the text of its fields.

use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::Metadata;

use super::fields::Fields;

pub(super) struct Span {
    metadata: &'static Metadata<'static>,
    fields: Mutex<Fields>,
    parent: Option<Arc<Span>>,
}

impl Span {
    pub(super) fn new(
        metadata: &'static Metadata<'static>,
        fields: Fields,
        parent: Option<Arc<Self>>,
    ) -> Self {
        Self { metadata, fields: Mutex::new(fields), parent }
    }

    pub(super) fn metadata(&self) -> &'static Metadata<'static> {
        self.metadata
    }

    pub(super) fn record(&self, fields: &Fields) {
        self.fields().append(fields);
    }

    /// Writes `outer{its=fields}:inner{its=fields}:`.
    pub(super) fn write_path(&self, line: &mut String) {
        let mut path = vec![self];
        while let Some(parent) = path.last().and_then(|span| span.parent.as_deref()) {
            path.push(parent);
        }
        for span in path.into_iter().rev() {
            let fields = span.fields();
            let name = span.metadata.name();
            let _ = match fields.is_empty() {
                true => write!(line, "{name}:"),
                false => write!(line, "{name}{{{fields}}}:"),
            };
        }
    }

    fn fields(&self) -> MutexGuard<'_, Fields> {
        self.fields.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tasks that start each other can make a chain of spans too long for a recursion.
impl Drop for Span {
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut span) = next.and_then(Arc::into_inner) {
            next = span.parent.take();
        }
    }
}
