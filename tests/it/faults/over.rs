//! One-shot runs that are over, with a CLI that does not end.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{
    AgentOptionsBuilder, HookContext, HookOutput, Prompt, RunError, UserPrompt, query,
};

use super::fake::Fake;
use super::{Heard, SHORT, error_result, says, state, within};

fn hasty(options: AgentOptionsBuilder) -> AgentOptionsBuilder {
    options.close_grace(SHORT).terminate_grace(SHORT)
}

/// The CLI may ask for something, so its input stays open until the run is over.
fn with_a_hook(options: AgentOptionsBuilder) -> AgentOptionsBuilder {
    options
        .hook(HookMatcher::pre_tool_use("*"), |_, _: HookContext| async { HookOutput::default() })
}

#[tokio::test]
async fn a_cli_that_ignores_the_end_of_its_input_after_the_result_is_ended() {
    let turn = || Fake::initialized().turn([says("hi")]);
    let fakes = [
        turn(),
        turn().say(state("idle")),
        Fake::new().then("ignore_sigterm").initialize(serde_json::json!({})).turn([says("hi")]),
    ];
    for fake in fakes.map(|fake| fake.then("sleep")) {
        for with in [|options| options, with_a_hook] {
            let options = with(hasty(fake.options())).build().unwrap();
            let run = within(query("Go.", options)).await.unwrap();
            assert_eq!(within(run.finish()).await.unwrap().text(), "done");
            fake.is_gone().await;
        }
    }
}

#[tokio::test]
async fn what_it_says_before_it_is_ended_is_delivered() {
    let fake = Fake::initialized().turn([]).then("end").say(says("late")).then("sleep");
    let options = hasty(fake.options()).build().unwrap();
    let mut run = within(query("Go.", options)).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert_eq!((heard.types(), heard.error.is_none()), (vec!["result", "assistant"], true));
    fake.is_gone().await;
}

#[tokio::test]
async fn an_error_result_remains_the_result() {
    let fake = Fake::initialized().then("user").say(error_result()).then("sleep");
    let run = within(query("Go.", hasty(fake.options()).build().unwrap())).await.unwrap();
    let error = within(run.finish()).await.unwrap_err();
    assert!(matches!(error, RunError::ErrorResult { .. }), "{error:?}");
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_gets_no_prompt_is_ended() {
    /// No prompts.
    struct Nothing;
    impl Stream for Nothing {
        type Item = UserPrompt;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<UserPrompt>> {
            Poll::Ready(None)
        }
    }
    let fake = Fake::initialized().then("sleep");
    let options = hasty(fake.options()).build().unwrap();
    let run = within(query(Prompt::stream(Nothing), options)).await.unwrap();
    let error = within(run.finish()).await.unwrap_err();
    assert!(matches!(error, RunError::NoResult), "{error:?}");
    fake.is_gone().await;
}

#[tokio::test]
async fn background_work_that_outlasts_its_time_is_ended() {
    let fake = Fake::initialized().say(state("running")).turn([]).then("sleep");
    let options = with_a_hook(hasty(fake.options())).background_wait(Some(SHORT)).build().unwrap();
    let run = within(query("Go.", options)).await.unwrap();
    assert_eq!(within(run.finish()).await.unwrap().text(), "done");
    fake.is_gone().await;
}
