//! The fields of a span, as a test's subscriber sees them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use tracing::Dispatch;
use tracing::field::{Field, Visit};
use tracing::subscriber::NoSubscriber;

/// The values that were recorded last, by the names of the fields.
#[derive(Debug, Default)]
pub(crate) struct SpanFields(BTreeMap<&'static str, String>);

/// To be called before a test sets its subscriber. While there is only one, `tracing` asks that of
/// the current thread whether a new span is wanted, and remembers the answer for all threads: where
/// another test is the first to open the span, it would be missing in this one.
pub(crate) fn have_another_subscriber() {
    static ANOTHER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));
    LazyLock::force(&ANOTHER);
}

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
