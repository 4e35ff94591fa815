//! The fields of a span, as a test's subscriber sees them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, DerefMut};

use tracing::field::{Field, Visit};

/// The values that were recorded last, by the names of the fields.
#[derive(Debug, Default)]
pub(crate) struct SpanFields(BTreeMap<&'static str, String>);

impl Visit for SpanFields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl Deref for SpanFields {
    type Target = BTreeMap<&'static str, String>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for SpanFields {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
