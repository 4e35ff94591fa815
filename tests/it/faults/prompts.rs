//! Streams of prompts, and when the input of a run with one or more prompts is closed.
//!
//! That it is not closed too early shows in the questions that are asked while it must be open: a
//! CLI whose input has ended before it got an answer ends with a status that fails the run. That it
//! is closed at last shows in the step `end`, behind which the CLI says something.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use futures_core::Stream;
use serde_json::{Value, json};
use tokio::sync::Notify;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{AgentOptionsBuilder, HookContext, HookOutput, Prompt, Query, query};

use super::fake::Fake;
use super::{Heard, SHORT, hook, result, says, state, within};

/// Prompts, and what comes then.
struct Prompts(Vec<&'static str>, Then);

enum Then {
    End,
    Forever(Arc<AtomicUsize>),
    Never(#[expect(dead_code, reason = "it is there to be dropped")] Option<Witness>),
    Panic,
}

/// Says that it was dropped.
struct Witness(Arc<Notify>);

impl Drop for Witness {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Stream for Prompts {
    type Item = &'static str;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<&'static str>> {
        match (self.0.is_empty(), &self.1) {
            (false, _) => Poll::Ready(Some(self.0.remove(0))),
            (true, Then::End) => Poll::Ready(None),
            (true, Then::Never(_)) => Poll::Pending,
            (true, Then::Panic) => panic!("a bug"),
            (true, Then::Forever(count)) => {
                count.fetch_add(1, Ordering::Relaxed);
                Poll::Ready(Some(
                    "and on and on and on and on and on and on and on and on and on and on and on and on and on",
                ))
            }
        }
    }
}

/// With a hook, so that the run has to be there for questions.
fn asked(fake: &Fake) -> AgentOptionsBuilder {
    fake.options()
        .hook(HookMatcher::pre_tool_use("*"), |_, _: HookContext| async { HookOutput::default() })
}

async fn start(options: AgentOptionsBuilder, prompt: impl Into<Prompt>) -> Query {
    within(query(prompt, options.build().unwrap())).await.unwrap()
}

fn stream(prompts: &[&'static str], then: Then) -> Prompt {
    Prompt::stream(Prompts(prompts.to_vec(), then))
}

/// A run to its end, which must come with the end of the input.
async fn ends(fake: Fake, options: AgentOptionsBuilder, prompt: impl Into<Prompt>) -> Heard {
    let heard = Heard::of(&mut start(options, prompt).await).await;
    assert!(heard.error.is_none(), "{heard:?}");
    fake.is_gone().await;
    heard
}

fn closed() -> Value {
    says("closed")
}

fn task(subtype: &str, more: Value) -> Value {
    let mut message = json!({"type": "system", "subtype": subtype, "task_id": "t1"});
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    message
}

#[tokio::test]
async fn a_run_that_is_asked_nothing_is_closed_behind_its_prompt() {
    let fake = Fake::initialized().then("user").then("end").say(closed()).say(result());
    assert_eq!(ends(fake.clone(), fake.options(), "Go.").await.types(), ["assistant", "result"]);
}

#[tokio::test]
async fn a_run_ends_with_a_result_and_rest() {
    let fake = Fake::initialized()
        .then("user")
        .say(state("running"))
        .say(says("hi"))
        .asks("h", hook(0))
        .say(result());
    let fake = fake.asks("h2", hook(0)).say(state("idle")).then("end").say(closed());
    let heard = ends(fake.clone(), asked(&fake), "Go.").await;
    assert_eq!(heard.types(), ["assistant", "result", "assistant"], "the states are for the host");
}

#[tokio::test]
async fn rest_may_come_before_the_result() {
    let fake = Fake::initialized()
        .then("user")
        .say(state("running"))
        .say(says("hi"))
        .say(state("idle"))
        .asks("h", hook(0));
    let fake = fake.say(result()).then("end").say(closed());
    assert_eq!(ends(fake.clone(), asked(&fake), "Go.").await.text(), "hiclosed");
}

#[tokio::test]
async fn work_after_the_result_keeps_the_input_open_until_its_own() {
    let fake = Fake::initialized()
        .then("user")
        .say(state("running"))
        .say(result())
        .say(says("the task has ended"))
        .say(state("idle"));
    let fake = fake
        .asks("h", hook(0))
        .say(state("running"))
        .asks("h2", hook(0))
        .say(result())
        .say(state("idle"))
        .then("end")
        .say(closed());
    assert_eq!(ends(fake.clone(), asked(&fake), "Go.").await.results().len(), 2);
}

#[tokio::test]
async fn an_old_cli_without_states_ends_with_its_result() {
    let fake = Fake::initialized()
        .then("user")
        .say(says("hi"))
        .asks("h", hook(0))
        .say(result())
        .then("end")
        .say(closed());
    assert_eq!(ends(fake.clone(), asked(&fake), "Go.").await.text(), "hiclosed");
}

#[tokio::test]
async fn an_old_cli_without_states_ends_when_its_tasks_have() {
    let ended = [
        task("task_notification", json!({"status": "completed"})),
        task("task_updated", json!({"patch": {"status": "killed"}})),
    ];
    for (kind, ended) in ["local_agent", "local_workflow"].into_iter().zip(ended) {
        let fake = Fake::initialized()
            .then("user")
            .say(task("task_started", json!({"task_type": kind})))
            .say(result());
        let fake = fake
            .asks("h", hook(0))
            .say(task("task_updated", json!({"patch": {"status": "running"}})))
            .asks("h2", hook(0));
        let fake = fake.say(ended).then("end").say(closed());
        assert_eq!(ends(fake.clone(), asked(&fake), "Go.").await.text(), "closed");
    }
}

#[tokio::test]
async fn a_shell_in_the_background_may_never_end_and_is_not_waited_for() {
    let fake = Fake::initialized()
        .then("user")
        .say(task("task_started", json!({"task_type": "local_bash"})))
        .say(result());
    let fake = fake.then("end").say(closed());
    assert_eq!(ends(fake.clone(), asked(&fake), "Go.").await.text(), "closed");
}

#[tokio::test]
async fn a_run_that_lingers_between_turns_is_closed_at_the_ceiling() {
    let fake = Fake::initialized()
        .then("user")
        .say(state("running"))
        .say(result())
        .then("end")
        .say(closed());
    let since = Instant::now();
    let heard = ends(fake.clone(), asked(&fake).background_wait(Some(2 * SHORT)), "Go.").await;
    assert_eq!(heard.types(), ["result", "assistant"]);
    assert!(since.elapsed() >= 2 * SHORT);
}

#[tokio::test]
async fn the_ceiling_counts_only_between_turns() {
    // The hook takes longer than the ceiling, each time in a state in which that does not count.
    let slow = |_, _: HookContext| async {
        tokio::time::sleep(3 * SHORT).await;
        HookOutput::default()
    };
    let before_a_result =
        Fake::initialized().then("user").say(state("running")).asks("h", hook(0)).say(result());
    // Only what comes with the result comes before the ceiling for certain.
    let running = Fake::initialized().then("user").say(state("running"));
    let working = running.clone().say_at_once(&[result(), says("more")]);
    let working = working.asks("h", hook(0)).say(result());
    let asking = running.say_at_once(&[result(), state("requires_action")]).asks("h", hook(0));
    let in_a_task = Fake::initialized()
        .then("user")
        .say(task("task_started", json!({"task_type": "local_agent"})));
    let in_a_task = in_a_task.say(state("running")).say(result()).asks("h", hook(0));
    for fake in [before_a_result, working, asking, in_a_task] {
        let fake = fake.say(state("idle")).then("end").say(closed());
        let options =
            fake.options().hook(HookMatcher::pre_tool_use("*"), slow).background_wait(Some(SHORT));
        assert!(ends(fake, options, "Go.").await.text().ends_with("closed"));
    }
}

#[tokio::test]
async fn without_a_ceiling_a_run_lingers() {
    let fake = Fake::initialized()
        .then("user")
        .say(state("running"))
        .say(result())
        .asks("h", hook(0))
        .say(state("idle"))
        .then("end");
    let slow = |_, _: HookContext| async {
        tokio::time::sleep(SHORT).await;
        HookOutput::default()
    };
    let options = fake.options().hook(HookMatcher::pre_tool_use("*"), slow).background_wait(None);
    assert_eq!(ends(fake, options, "Go.").await.results().len(), 1);
}

#[tokio::test]
async fn a_stream_of_prompts_is_written_to_its_end() {
    let fake = Fake::initialized()
        .turn([says("a")])
        .turn([says("b")])
        .turn([says("c")])
        .then("end")
        .say(closed());
    let prompt = stream(&["one", "two", "three"], Then::End);
    assert_eq!(ends(fake.clone(), fake.options(), prompt).await.text(), "abcclosed");

    let fake = Fake::initialized()
        .then("user")
        .say(state("running"))
        .then("user")
        .asks("h", hook(0))
        .say(result())
        .asks("h2", hook(0));
    let fake = fake.say(result()).say(state("idle")).then("end").say(closed());
    let heard = ends(fake.clone(), asked(&fake), stream(&["one", "two"], Then::End)).await;
    assert_eq!(heard.results().len(), 2);
}

#[tokio::test]
async fn an_empty_stream_closes_the_input_at_once() {
    for is_asked in [false, true] {
        let fake = Fake::initialized().then("end").say(closed());
        let options = if is_asked { asked(&fake) } else { fake.options() };
        assert_eq!(ends(fake, options, stream(&[], Then::End)).await.types(), ["assistant"]);
    }
}

#[tokio::test]
async fn a_stream_that_panics_has_ended() {
    for is_asked in [false, true] {
        let fake = Fake::initialized().turn([says("a")]).then("end").say(closed());
        let options = if is_asked { asked(&fake) } else { fake.options() };
        assert_eq!(ends(fake, options, stream(&["one"], Then::Panic)).await.text(), "aclosed");
    }
}

#[tokio::test]
async fn a_stream_that_never_ends_keeps_the_input_open_and_ends_with_the_run() {
    let dropped = Arc::new(Notify::new());
    let fake = Fake::initialized()
        .turn([says("a")])
        .say(state("idle"))
        .asks("h", hook(0))
        .say(says("b"))
        .then("end");
    let mut run =
        start(asked(&fake), stream(&["one"], Then::Never(Some(Witness(dropped.clone()))))).await;
    let mut text = String::new();
    while !text.ends_with('b') {
        if let toolwright::agent::Message::Assistant(message) =
            within(run.next()).await.unwrap().unwrap()
        {
            text += &message.text();
        }
    }
    drop(run);
    within(dropped.notified()).await;
    fake.is_gone().await;

    let fake = Fake::initialized().turn([says("a")]).with("exit", 1);
    let mut run =
        start(fake.options(), stream(&["one"], Then::Never(Some(Witness(dropped.clone()))))).await;
    assert!(Heard::of(&mut run).await.error.is_some());
    within(dropped.notified()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn a_stream_that_always_has_one_more_is_read_no_faster_than_the_cli_reads() {
    let count = Arc::new(AtomicUsize::new(0));
    let fake = Fake::initialized().turn([says("a")]).turn([says("b")]).then("sleep");
    let options = asked(&fake).close_grace(SHORT).terminate_grace(SHORT);
    let mut run = start(options, stream(&[], Then::Forever(count.clone()))).await;
    for kind in ["assistant", "result", "assistant", "result"] {
        assert_eq!(within(run.next()).await.unwrap().unwrap().r#type(), kind);
    }
    within(run.close()).await;
    fake.is_gone().await;
    // Each is longer than 100 bytes; what is kept is a few MiB at most.
    assert!(count.load(Ordering::Relaxed) < 100_000);
}
