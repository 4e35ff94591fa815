use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use tokio::time::advance;

use super::*;
use crate::agent::message::peek;

const END: Duration = Duration::from_secs(5);

fn lifecycle(run_end: Option<RunEnd>) -> Lifecycle {
    let limits = Limits { background: None, end: END };
    Lifecycle::new(run_end, limits, Arc::default())
}

#[test]
fn the_first_reason_to_stop_counts() {
    let run = lifecycle(None);
    run.stop(Stop::Failed(RunError::NoResult));
    run.stop(Stop::Closed);
    let error = run.failure(&ProcessExit::default(), None);
    assert!(matches!(error, Some(RunError::NoResult)), "{error:?}");
}

#[test]
fn after_an_error_result_it_matters_that_the_conversation_goes_on() {
    let run = lifecycle(None);
    assert!(run.is_at_work());
    run.note(&Peek::Result { is_error: true });
    assert!(!run.is_at_work(), "or the result would explain what happens later");
    run.note(&Peek::Work);
    assert!(run.is_at_work());
}

#[test]
fn an_error_result_explains_nothing_about_a_turn_that_begins_behind_it() {
    let run = lifecycle(None);
    run.note(&Peek::Result { is_error: true });
    run.note(&peek(r#"{"type":"system","subtype":"init"}"#));
    assert!(run.is_at_work());
}

#[tokio::test(start_paused = true)]
async fn a_cli_that_says_something_after_its_result_has_more_time_to_end() {
    let run = lifecycle(Some(RunEnd::new(false)));
    run.prompt();
    run.no_more_prompts();
    run.note(&Peek::Result { is_error: false });
    advance(END / 2).await;
    run.note(&Peek::Result { is_error: false });
    let mut overdue = pin!(run.overdue());
    let mut is_over =
        async || poll_fn(|cx| Poll::Ready(overdue.as_mut().poll(cx).is_ready())).await;
    advance(END / 2).await;
    assert!(!is_over().await);
    // Even while it is waited for.
    run.prompt();
    advance(END).await;
    assert!(!is_over().await);
}
