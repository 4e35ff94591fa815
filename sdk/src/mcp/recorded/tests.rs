use std::future::Future;
use std::pin::pin;
use std::task::{Context as TaskContext, Poll, Waker};

use toolwright::mcp::Recorded;
use toolwright::{Context, Elicited, LoggingLevel, ToolRegistry, data, json, tool, tools};

/// Imports rows, and reports how far it is.
#[tool]
async fn import(rows: u64, cx: &Context) -> u64 {
    for row in 1..=rows {
        cx.progress_of(row as f64, rows as f64, format!("row {row}"));
    }
    cx.log(LoggingLevel::Info, json!({"rows": rows}));
    rows
}

#[tokio::test]
async fn a_detached_context_records_what_a_client_would_receive() {
    let cx = Context::detached();
    assert_eq!(cx.recorded(), Recorded::default());
    assert_eq!(import(2, &cx).await, 2);
    assert_eq!(cx.recorded().progress, [(1.0, 2.0, "row 1"), (2.0, 2.0, "row 2")]);
    assert_eq!(cx.recorded().logs, [(LoggingLevel::Info, json!({"rows": 2}))]);
    // A clone shows the same record, as a tool may give one to a task.
    cx.clone().log(LoggingLevel::Debug, "again");
    assert_eq!(cx.recorded().logs[1], (LoggingLevel::Debug, "again"));
}

#[test]
fn progress_that_a_client_would_not_get_is_not_recorded() {
    let cx = Context::detached();
    for done in [0.5, 0.5, 0.25, f64::NAN, f64::INFINITY, 0.75] {
        cx.progress(done, "");
    }
    cx.progress_of(0.875, f64::NAN, "");
    assert_eq!(cx.recorded().progress, [(0.5, 1.0, ""), (0.75, 1.0, "")]);
}

/// Its serialisation fails.
struct Broken;

impl serde::Serialize for Broken {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("broken"))
    }
}

#[test]
fn a_value_that_cannot_be_written_is_not_recorded() {
    let cx = Context::detached();
    cx.log(LoggingLevel::Error, Broken);
    assert_eq!(cx.recorded(), Recorded::default());
}

#[test]
fn a_logged_number_has_the_digits_that_a_client_gets() {
    let cx = Context::detached();
    cx.log(LoggingLevel::Info, 0.1_f32);
    assert_eq!(cx.recorded().logs, [(LoggingLevel::Info, json!(0.1))]);
}

/// How a user divides something.
#[data]
#[derive(Debug, PartialEq)]
struct Share {
    #[schemars(range(max = 0.1))]
    part: f32,
}

#[tokio::test]
async fn a_default_that_is_accepted_as_it_stands_is_the_one_that_was_given() {
    let cx = Context::detached().answering(|asked| {
        let part = &asked.params()["requestedSchema"]["properties"]["part"];
        asked.accept(json!({"part": part["default"]}))
    });
    let share = cx.elicit::<Share>("How much?").default(&Share { part: 0.1 }).await;
    assert_eq!(share.unwrap(), Elicited::Accepted(Share { part: 0.1 }));

    let cx = Context::detached().answering(|asked| asked.accept(Share { part: 0.1 }));
    let share = cx.elicit::<Share>("How much?").await;
    assert_eq!(share.unwrap(), Elicited::Accepted(Share { part: 0.1 }));
}

#[test]
fn a_record_is_bounded() {
    let cx = Context::detached();
    for done in 0..2_000 {
        cx.progress_of(f64::from(done), 2_000.0, "");
        cx.log(LoggingLevel::Debug, done);
        cx.notify("toy/done", serde_json::json!({"done": done})).unwrap();
    }
    let recorded = cx.recorded();
    assert_eq!(recorded.notifications.len(), 1_024);
    assert_eq!(recorded.notifications[7], ("toy/done".into(), serde_json::json!({"done": 7})));
    assert_eq!((recorded.progress.len(), recorded.logs.len()), (1_024, 1_024));
    assert_eq!(recorded.logs[1_023], (LoggingLevel::Debug, 1_023));
}

/// A message that reads the record while it is being recorded.
struct Curious<'a>(&'a Context);

impl AsRef<str> for Curious<'_> {
    fn as_ref(&self) -> &str {
        assert_eq!(self.0.recorded(), Recorded::default());
        "seen"
    }
}

#[test]
fn no_user_code_runs_under_the_lock_of_the_record() {
    let cx = Context::detached();
    cx.progress(1.0, Curious(&cx));
    assert_eq!(cx.recorded().progress, [(1.0, 1.0, "seen")]);
}

#[tokio::test]
async fn a_context_that_was_cloned_is_answered() {
    let cx = Context::detached();
    let seen = cx.clone();
    assert_eq!(cx.answering(|asked| asked.agree()).confirm("Sure?").await, Ok(true));
    let no = seen.clone().answering(|asked| asked.decline());
    assert_eq!(no.confirm("Sure?").await, Ok(false));
    assert_eq!(seen.confirm("Sure?").await, Ok(false), "the last answer counts");
}

#[test]
fn a_detached_context_can_be_cancelled_without_waiting() {
    let cx = Context::detached();
    let mut cancelled = pin!(cx.cancelled());
    let mut task = TaskContext::from_waker(Waker::noop());
    assert_eq!(cancelled.as_mut().poll(&mut task), Poll::Pending);
    cx.cancel_token().cancel();
    assert!(cx.is_cancelled());
    assert_eq!(cancelled.as_mut().poll(&mut task), Poll::Ready(()));
}

#[tokio::test]
async fn a_call_of_the_registry_records_nothing() {
    #[tool]
    async fn nosy(cx: &Context) -> usize {
        cx.progress(0.5, "half way");
        cx.log(LoggingLevel::Error, "oh");
        cx.recorded().progress.len() + cx.recorded().logs.len()
    }
    let registry = ToolRegistry::builder("toy").tools(tools![nosy]).build().unwrap();
    assert_eq!(registry.call("nosy", json!({})).await.unwrap().to_text(), "0");
}
