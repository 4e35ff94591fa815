//! A subscriber of a test.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::spans::{SpanFields, have_another_subscriber};

/// Records spans, and the messages of errors.
#[derive(Clone, Default)]
pub(super) struct Spans(pub(super) Arc<Mutex<Recorded>>);

#[derive(Default)]
pub(super) struct Recorded {
    pub(super) spans: Vec<Recording>,
    current: Vec<u64>,
    pub(super) errors: Vec<String>,
}

pub(super) struct Recording {
    pub(super) name: &'static str,
    pub(super) parent: Option<u64>,
    pub(super) fields: SpanFields,
    pub(super) handles: usize,
}

impl Spans {
    /// Records the spans of this thread.
    pub(super) fn listen() -> (Self, DefaultGuard) {
        have_another_subscriber();
        let spans = Self::default();
        (spans.clone(), set_default(spans))
    }

    /// The tree of all spans, which must be closed.
    pub(super) fn tree(&self) -> String {
        let mut text = String::new();
        let recorded = self.0.lock().unwrap();
        assert!(recorded.current.is_empty());
        write(&mut text, &recorded.spans, None, 0);
        text
    }
}

fn write(text: &mut String, spans: &[Recording], parent: Option<u64>, depth: usize) {
    for (span, id) in spans.iter().zip(1..).filter(|(span, _)| span.parent == parent) {
        assert_eq!(span.handles, 0, "{} is open", span.name);
        let indent = "  ".repeat(depth);
        writeln!(text, "{indent}{}", span.name).unwrap();
        let fixed = ["otel.kind", "otel.name", "gen_ai.operation.name", "mcp.session.id"];
        for (name, value) in span.fields.iter().filter(|(name, _)| !fixed.contains(*name)) {
            writeln!(text, "{indent}  - {name} {value}").unwrap();
        }
        write(text, spans, Some(id), depth + 1);
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() || *metadata.level() == Level::ERROR
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut recorded = self.0.lock().unwrap();
        let current = recorded.current.last().copied().filter(|_| attributes.is_contextual());
        let parent = attributes.parent().map(Id::into_u64).or(current);
        let name = attributes.metadata().name();
        let mut span = Recording { name, parent, fields: SpanFields::default(), handles: 1 };
        attributes.record(&mut span.fields);
        recorded.spans.push(span);
        Id::from_u64(recorded.spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut recorded = self.0.lock().unwrap();
        values.record(&mut recorded.spans[id.into_u64() as usize - 1].fields);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = SpanFields::default();
        event.record(&mut fields);
        self.0.lock().unwrap().errors.extend(fields.remove("message"));
    }

    fn enter(&self, id: &Id) {
        self.0.lock().unwrap().current.push(id.into_u64());
    }

    fn exit(&self, id: &Id) {
        assert_eq!(self.0.lock().unwrap().current.pop(), Some(id.into_u64()));
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.0.lock().unwrap().spans[id.into_u64() as usize - 1].handles += 1;
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut recorded = self.0.lock().unwrap();
        let span = &mut recorded.spans[id.into_u64() as usize - 1];
        span.handles -= 1;
        span.handles == 0
    }
}
