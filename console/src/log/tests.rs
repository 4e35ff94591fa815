use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use tracing::field::Empty;
use tracing::subscriber::with_default;
use tracing::{Level, Span, debug, debug_span, error, info, info_span, trace, warn};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::{fmt as library, registry};

use super::*;

thread_local! {
    static WRITTEN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What our log writes while `program` runs.
fn logged(selected: &str, program: impl FnOnce()) -> String {
    let (filter, _) = Filter::of(selected);
    let write = |line: &str| WRITTEN.with_borrow_mut(|written| written.push_str(line));
    with_default(Log::new(filter, write), program);
    WRITTEN.take()
}

/// What the log of `tracing-subscriber` writes while `program` runs.
fn logged_by_library(selected: &str, program: impl FnOnce()) -> String {
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);
    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let written = Written::default();
    let writer = written.clone();
    let lines = library::layer().with_ansi(false).with_writer(move || writer.clone());
    let targets: Targets = selected.parse().unwrap();
    with_default(registry().with(lines.with_filter(targets)), program);
    let bytes = written.0.lock().unwrap();
    String::from_utf8(bytes.clone()).unwrap()
}

/// Without the time, which is checked for its form.
fn without_time(log: &str) -> Vec<String> {
    let form = |char: char| if char.is_ascii_digit() { '0' } else { char };
    log.lines()
        .map(|line| {
            let (time, rest) = line.split_at(27);
            assert_eq!(time.chars().map(form).collect::<String>(), "0000-00-00T00:00:00.000000Z");
            rest.to_owned()
        })
        .collect()
}

/// An error with so many causes.
#[derive(Debug)]
struct Failed(Option<Box<Self>>);

impl fmt::Display for Failed {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        output.write_str("it \u{1b}[31mfailed\u{9b}")
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.as_ref().map(|cause| &**cause as _)
    }
}

/// Events and spans of many kinds.
fn program() {
    info!("plain");
    error!(error = %Failed(None), why = ?Some("a \"reason\""), count = 3, "with {} fields", 3);
    for causes in [None, Some(Failed(None)), Some(Failed(Some(Failed(None).into())))] {
        let failed = Failed(causes.map(Box::new));
        let failed: &(dyn Error + 'static) = &failed;
        error!(failed, "with its causes");
    }
    warn!(target: "other::place", message = "a text", r#type = "t", part = 0.5, yes = true);
    debug!("only debug");
    trace!(only = "a field");
    let outer = info_span!("outer", id = "7\u{1b}", late = Empty, later = Empty);
    let inside = outer.enter();
    let inner = debug_span!("inner");
    outer.record("late", 1);
    inner.in_scope(|| info!("in both"));
    info!("in the outer one");
    info!(parent: None, "in none");
    info!(parent: &inner, "in the given one");
    drop(inside);
    drop(outer);
    inner.in_scope(|| info!("the outer one stays"));
    drop(inner);
    let other =
        info_span!(target: "other", parent: None, "name with spaces", failed = %Failed(None));
    let again = other.clone();
    drop(other);
    let again = again.entered();
    Span::current().record("late", 1);
    again.in_scope(|| again.in_scope(|| warn!("twice in it")));
    let within = info_span!("within", late = Empty);
    within.in_scope(|| {
        again.in_scope(|| {
            Span::current().record("late", 2);
            info!("in the inner one");
        });
    });
    std::thread::scope(|scope| {
        let span = Span::current();
        scope.spawn(move || drop(span)).join().unwrap();
    });
    drop(again.exit());
    assert!(Span::current().is_none());
    info!("out of all");
}

#[test]
fn the_lines_are_those_of_the_library() {
    let all = logged("trace", program);
    assert_eq!(all.lines().count(), 16, "{all}");
    for selected in ["trace", "info", "warn", "toolwright=debug,other=off", "other::place"] {
        let ours = without_time(&logged(selected, program));
        // The library leaves control characters of fields as they are.
        let library = logged_by_library(selected, program)
            .replace('\u{1b}', "\\x1b")
            .replace('\u{9b}', "\\u{9b}");
        assert_eq!(ours, without_time(&library), "{selected}");
    }
    assert!(!all.contains(['\u{1b}', '\u{9b}']), "{all}");
}

#[test]
fn what_is_selected_is_what_the_library_selects() {
    let selections = [
        "info",
        "WARN",
        "off",
        "5",
        "a",
        "a=info",
        "a=info,a::b=trace",
        "a::b=off,a=debug,warn",
        "debug,a=error",
        "a=warn,a=trace",
        "a=3",
        "ab=info,a=warn",
    ];
    let levels = [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE];
    for selected in selections {
        let (filter, unread) = Filter::of(selected);
        assert_eq!(unread, [""; 0], "{selected}");
        let library: Targets = selected.parse().unwrap();
        for target in ["a", "ab", "a::b", "a::b::c", "b", ""] {
            for level in levels {
                let ours = level <= filter.level(target);
                assert_eq!(
                    ours,
                    library.would_enable(target, &level),
                    "{selected} {target} {level}"
                );
                assert!(!ours || level <= filter.most(), "{selected} {level}");
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_left_out() {
    let (filter, unread) = Filter::of("a=loud,b=info,[span]=debug,a[{field}]=debug,");
    assert_eq!(unread, ["a=loud", "[span]=debug", "a[{field}]=debug"]);
    assert_eq!([filter.level("a"), filter.level("b")], [LevelFilter::OFF, LevelFilter::INFO]);
    for selected in ["", " ", ",", "=", "a=loud"] {
        assert_eq!(Filter::of(selected).0.level("a"), LevelFilter::WARN, "{selected:?}");
    }
}

#[test]
fn an_id_that_outlives_its_span_names_no_other() {
    let log = logged("info", || {
        let closed = info_span!("closed");
        let id = closed.id();
        std::mem::forget(closed.enter());
        drop(closed);
        let current = Span::current();
        let other = info_span!(parent: None, "other");
        info!(parent: id, "in no span");
        drop(current);
        other.in_scope(|| info!("still open"));
    });
    assert_eq!(
        without_time(&log),
        [
            "  INFO toolwright_console::log::tests: in no span",
            "  INFO other: toolwright_console::log::tests: still open",
        ]
    );
}

#[test]
fn no_value_begins_a_line_of_the_log() {
    let forged = "\n2026-11-24T00:00:00.000000Z  WARN other: forged";
    let log = logged("info", || info!(field = %forged, "text{forged}\r"));
    let text = "    2026-11-24T00:00:00.000000Z  WARN other: forged";
    let (first, rest) = log.split_once('\n').unwrap();
    assert_eq!(without_time(first), ["  INFO toolwright_console::log::tests: text"]);
    assert_eq!(rest, format!("{text}\\x0d field=\n{text}\n"));
}

#[test]
fn a_long_chain_of_spans_ends() {
    let closed = || {
        let mut span = info_span!(parent: None, "first");
        for _ in 0..100_000 {
            span = info_span!(parent: &span, "next");
        }
        info!(parent: &info_span!(parent: None, "other"), "all are closed");
        drop(span);
    };
    assert_eq!(logged("info", closed).lines().count(), 1);
}
