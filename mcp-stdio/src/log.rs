//! The log of a server program, on standard error.

use std::io;
use std::sync::OnceLock;

use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;
use tracing_subscriber::Registry;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::format::{DefaultFields, Format};
use tracing_subscriber::layer::{Layer, Layered, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Logs what `RUST_LOG` selects, else warnings and errors. A subscriber that the program has set
/// already stays.
pub(crate) fn to_stderr() {
    let filter = std::env::var("RUST_LOG").ok().and_then(|filter| filter.parse::<Targets>().ok());
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let _ = Log { filter, output: OnceLock::new() }.try_init();
}

/// Makes its output when something is logged: most programs log nothing, and the tables of a
/// [`Registry`] would be a tenth of the time and of the memory in which a server starts.
struct Log {
    filter: Targets,
    output: OnceLock<Layered<Lines, Registry>>,
}

type Lines = fmt::Layer<Registry, DefaultFields, Format, fn() -> io::Stderr>;

impl Log {
    fn output(&self) -> &Layered<Lines, Registry> {
        self.output.get_or_init(|| {
            let stderr: fn() -> io::Stderr = io::stderr;
            let lines = fmt::layer().with_ansi(false).with_writer(stderr);
            tracing_subscriber::registry().with(lines)
        })
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
        self.filter.would_enable(metadata.target(), metadata.level())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Layer::<Registry>::max_level_hint(&self.filter)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.output().new_span(span)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.output().record(span, values);
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        self.output().record_follows_from(span, follows);
    }

    fn event(&self, event: &Event<'_>) {
        self.output().event(event);
    }

    fn enter(&self, span: &Id) {
        self.output().enter(span);
    }

    fn exit(&self, span: &Id) {
        self.output().exit(span);
    }

    fn clone_span(&self, span: &Id) -> Id {
        self.output().clone_span(span)
    }

    fn try_close(&self, span: Id) -> bool {
        self.output().try_close(span)
    }

    fn current_span(&self) -> Current {
        self.output().current_span()
    }
}
