//! A subscriber that records the spans of calls.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use tracing::span::{Attributes, Id, Record};
use tracing::subscriber;
use tracing::{Event, Metadata, Subscriber};

use crate::spans::{SpanFields, have_another_subscriber};

/// A subscriber that records spans, and runs a function at each of its own calls.
#[derive(Clone, Default)]
pub(super) struct Spans(Arc<Mutex<Vec<Recorded>>>, Option<Arc<dyn Fn() + Send + Sync>>);

#[derive(Default)]
struct Recorded {
    name: &'static str,
    fields: SpanFields,
    events: usize,
    handles: usize,
    is_entered: bool,
}

/// Runs something while a subscriber listens.
pub(super) fn with_default<T>(spans: Spans, run: impl FnOnce() -> T) -> T {
    have_another_subscriber();
    subscriber::with_default(spans, run)
}

impl Spans {
    pub(super) fn running(run: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::default(), Some(Arc::new(run)))
    }

    fn runs(&self) {
        self.1.iter().for_each(|run| run());
    }

    fn of(&self, id: &Id, change: impl FnOnce(&mut Recorded)) {
        self.runs();
        change(&mut self.0.lock().unwrap()[id.into_u64() as usize - 1]);
    }

    pub(super) fn is_entered(&self) -> bool {
        self.0.lock().unwrap().iter().any(|span| span.is_entered)
    }

    /// All spans, which must be closed.
    pub(super) fn take(&self) -> String {
        let mut text = String::new();
        for span in std::mem::take(&mut *self.0.lock().unwrap()) {
            assert_eq!((span.handles, span.is_entered), (0, false), "{} is open", span.name);
            let Recorded { name, mut fields, events, .. } = span;
            if let Some(session) = fields.get_mut("mcp.session.id") {
                assert!(session.parse::<u64>().unwrap() > 0);
                *session = "N".into();
            }
            writeln!(text, "{name} ({events} events)").unwrap();
            fields.iter().for_each(|(name, value)| writeln!(text, "  {name} {value}").unwrap());
        }
        text
    }

    /// The errors of the spans, by their calls.
    pub(super) fn errors(&self) -> Vec<String> {
        let text = self.take();
        let errors = text.lines().filter_map(|line| line.trim().strip_prefix("error.type "));
        errors.map(str::to_owned).collect()
    }
}

impl Subscriber for Spans {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        self.runs();
        let mut span =
            Recorded { name: attributes.metadata().name(), handles: 1, ..Recorded::default() };
        attributes.record(&mut span.fields);
        let mut spans = self.0.lock().unwrap();
        spans.push(span);
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        self.of(id, |span| values.record(&mut span.fields));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        let mut spans = self.0.lock().unwrap();
        spans.iter_mut().filter(|span| span.is_entered).for_each(|span| span.events += 1);
    }

    fn enter(&self, id: &Id) {
        self.of(id, |span| span.is_entered = true);
    }

    fn exit(&self, id: &Id) {
        self.of(id, |span| span.is_entered = false);
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.of(id, |span| span.handles += 1);
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        self.of(&id, |span| span.handles -= 1);
        false
    }
}
