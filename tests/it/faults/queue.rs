//! Prompts on their way through the CLI's queue.

use serde_json::{Value, json};
use toolwright::agent::UserPrompt;

use super::fake::Fake;
use super::turns::{A, B, C, answers, ends_well, interrupted, of, say, types_of_turn};
use super::{Heard, error_result, says, within};

const D: &str = "dddddddd-dddd-4ddd-8ddd-dddddddddddd";

/// What the CLI says about the way of a prompt.
fn news(uuid: &str, state: &str) -> Value {
    json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state})
}

#[tokio::test]
async fn prompts_that_are_answered_together_have_a_turn_each() {
    let fake = Fake::initialized()
        .then("user")
        .say(of(Some(A), says("one ")))
        .then("user")
        .say(says("and two"))
        .say(answers(&[A, B]))
        .then("user")
        .say(of(Some(C), says("three")))
        .say(answers(&[C]));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    say(&mut client, "Second.", B).await;
    let heard = Heard::of_turn(&mut client).await;
    assert_eq!((heard.text().as_str(), heard.results().len()), ("one and two", 1));
    assert_eq!(heard.results()[0].user_message_uuids, [A, B]);
    assert_eq!(types_of_turn(&mut client).await, [""; 0]);
    say(&mut client, "Third.", C).await;
    assert_eq!(Heard::of_turn(&mut client).await.text(), "three");
    ends_well(client, fake).await;
}

#[tokio::test]
async fn a_prompt_that_another_turn_took_up_hides_nothing_after_an_interrupt() {
    let fake = interrupted(
        Fake::initialized()
            .then("user")
            .then("user")
            .say(says("one and two"))
            .say(answers(&[A, B])),
        json!({"still_queued": []}),
    )
    .then("user")
    .say(json!({"type": "system", "subtype": "init"}))
    .say(says("three"))
    .say(answers(&[C]));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    say(&mut client, "Second.", B).await;
    assert_eq!(Heard::of_turn(&mut client).await.text(), "one and two");
    within(client.interrupt()).await.unwrap();
    say(&mut client, "Third.", C).await;
    assert_eq!(types_of_turn(&mut client).await, ["system", "assistant", "result"]);
    ends_well(client, fake).await;
}

#[tokio::test]
async fn the_last_news_of_a_turn_does_not_begin_the_next() {
    let mut fake = Fake::initialized();
    for uuid in [A, B] {
        fake = fake
            .then("user")
            .say(news(uuid, "queued"))
            .say(news(uuid, "started"))
            .say(answers(&[uuid]))
            .say(news(uuid, "completed"));
    }
    let mut client = fake.connect().await;
    for uuid in [A, B] {
        say(&mut client, "Go.", uuid).await;
        let heard = Heard::of_turn(&mut client).await;
        assert_eq!(heard.types(), ["command_lifecycle", "command_lifecycle", "result"]);
        assert!(heard.messages.iter().all(|message| message.user_message_uuid() == Some(uuid)));
    }
    ends_well(client, fake).await;
}

#[tokio::test]
async fn a_prompt_that_is_withdrawn_ends_its_turn() {
    let fake = Fake::initialized()
        .then("user")
        .then("user")
        .with("control", "cancel_async_message")
        .say(news(B, "cancelled"))
        .with("reply", json!({"cancelled": true}))
        .say(of(Some(A), says("one")))
        .say(answers(&[A]))
        .then("user")
        .say(news(C, "queued"))
        .say(news(C, "cancelled"));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    say(&mut client, "Second.", B).await;
    let withdrawn = json!({"message_uuid": B});
    within(client.request("cancel_async_message", withdrawn)).await.unwrap();
    assert_eq!(Heard::of_turn(&mut client).await.text(), "one");
    assert_eq!(types_of_turn(&mut client).await, [""; 0]);
    say(&mut client, "Third.", C).await;
    assert_eq!(types_of_turn(&mut client).await, ["command_lifecycle", "command_lifecycle"]);
    ends_well(client, fake).await;
}

#[tokio::test]
async fn an_interrupt_before_the_first_turn_ends_that_turn() {
    // The CLI says that the prompt is still queued, and ends its turn as soon as it begins.
    let fake = interrupted(Fake::initialized().then("user"), json!({"still_queued": [A]}))
        .then("user")
        .say(news(A, "started"))
        .say(of(Some(A), error_result()))
        .say(news(A, "cancelled"))
        .say(of(Some(B), says("two")))
        .say(answers(&[B]));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    within(client.interrupt()).await.unwrap();
    say(&mut client, "Second.", B).await;
    let heard = Heard::of_turn(&mut client).await;
    assert_eq!((heard.text().as_str(), heard.results()[0].is_error), ("two", false));
    ends_well(client, fake).await;
}

#[tokio::test]
async fn an_interrupted_turn_is_left_out_although_another_reader_has_pulled_it() {
    let fake =
        interrupted(Fake::initialized().then("user").then("user"), json!({"still_queued": [D]}))
            .say(of(Some(A), says("one")))
            .say(of(Some(A), error_result()))
            .say(of(Some(D), says("four")))
            .say(answers(&[D]))
            .then("user")
            .say(of(Some(B), says("two")))
            .say(answers(&[B]));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    let turn = within(client.ask(UserPrompt::text("Fourth.").uuid(D))).await.unwrap();
    within(client.interrupt()).await.unwrap();
    within(turn.finish()).await.unwrap();
    say(&mut client, "Second.", B).await;
    let heard = Heard::of_turn(&mut client).await;
    assert_eq!((heard.text().as_str(), heard.results()[0].is_error), ("two", false));
    ends_well(client, fake).await;
}

#[tokio::test]
async fn an_empty_turn_comes_in_its_place_although_another_reader_has_pulled_the_next() {
    let fake = (0..4)
        .fold(Fake::initialized(), |fake, _| fake.then("user"))
        .say(of(Some(A), says("one and two")))
        .say(answers(&[A, B]))
        .say(of(Some(C), says("three")))
        .say(answers(&[C]))
        .say(answers(&[D]));
    let mut client = fake.connect().await;
    for uuid in [A, B, C] {
        say(&mut client, "Go.", uuid).await;
    }
    let turn = within(client.ask(UserPrompt::text("Fourth.").uuid(D))).await.unwrap();
    within(turn.finish()).await.unwrap();
    for text in ["one and two", "", "three"] {
        assert_eq!(Heard::of_turn(&mut client).await.text(), text);
    }
    ends_well(client, fake).await;
}
