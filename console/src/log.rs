//! The log of a server program, on standard error: a line for each event, with the spans it is in.
//!
//! The lines are those of the crate `tracing-subscriber`, of which a server needs this much only;
//! the crate would be a twentieth of the time in which a server is built. Other than there, no
//! value can begin a line, or write a control character but a tab.

mod filter;
mod fields;
mod span;
mod open;
mod entered;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

use crate::utc::date_time;
use fields::Fields;
use filter::Filter;
use open::Spans;
use span::Span;

/// Logs what `RUST_LOG` selects, else warnings and errors. A subscriber that the program has set
/// already stays.
pub fn to_stderr() {
    let selected = std::env::var_os("RUST_LOG").unwrap_or_default();
    let selected = selected.to_string_lossy();
    let (filter, unread) = Filter::of(&selected);
    let write = |line: &str| drop(io::stderr().write_all(line.as_bytes()));
    if tracing::subscriber::set_global_default(Log::new(filter, write)).is_ok() {
        for part in unread {
            tracing::warn!(target: filter::TARGET, part, "a part of RUST_LOG is not understood");
        }
    }
}

struct Log {
    filter: Filter,
    spans: Spans,
    write: fn(&str),
}

impl Log {
    fn new(filter: Filter, write: fn(&str)) -> Self {
        Self { filter, spans: Spans::default(), write }
    }

    /// The span that something new is in.
    fn parent(&self, given: Option<&Id>, is_contextual: bool) -> Option<Arc<Span>> {
        match given {
            Some(id) => self.spans.get(id),
            None if is_contextual => entered::current().map(|(_, span)| span),
            None => None,
        }
    }
}

impl Subscriber for Log {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        match self.enabled(metadata) {
            true => Interest::always(),
            false => Interest::never(),
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.filter.level(metadata.target())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.filter.most())
    }

    fn new_span(&self, new: &Attributes<'_>) -> Id {
        let parent = self.parent(new.parent(), new.is_contextual());
        let mut fields = Fields::default();
        new.record(&mut fields);
        self.spans.open(Span::new(new.metadata(), fields, parent))
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        // A value's `Debug` may log too, so no lock is held while it runs.
        let mut fields = Fields::default();
        values.record(&mut fields);
        if let Some(span) = self.spans.get(span) {
            span.record(&fields);
        }
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut fields = Fields::default();
        event.record(&mut fields);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (time, micros) = (date_time(now.as_secs()), now.subsec_micros());
        let mut line = String::with_capacity(256);
        let _ = write!(line, "{time}.{micros:06}Z {:>5} ", metadata.level());
        if let Some(span) = self.parent(event.parent(), event.is_contextual()) {
            span.write_path(&mut line);
            line.push(' ');
        }
        let _ = writeln!(line, "{}: {fields}", metadata.target());
        (self.write)(&line);
    }

    fn enter(&self, span: &Id) {
        if let Some(open) = self.spans.get(span) {
            entered::enter(span, open);
        }
    }

    fn exit(&self, span: &Id) {
        entered::exit(span);
    }

    fn clone_span(&self, span: &Id) -> Id {
        self.spans.share(span);
        span.clone()
    }

    fn try_close(&self, span: Id) -> bool {
        self.spans.close(&span)
    }

    fn current_span(&self) -> Current {
        match entered::current() {
            Some((id, span)) => Current::new(id, span.metadata()),
            None => Current::none(),
        }
    }
}

#[cfg(test)]
mod tests;
