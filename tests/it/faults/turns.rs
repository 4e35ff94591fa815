//! Which messages belong to which turn.

use serde_json::{Value, json};
use toolwright::agent::{AgentClient, UserPrompt};

use super::fake::Fake;
use super::{Heard, error_result, result, says, within};

pub(super) const A: &str = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
pub(super) const B: &str = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
pub(super) const C: &str = "cccccccc-cccc-4ccc-8ccc-cccccccccccc";

pub(super) fn of(uuid: Option<&str>, mut message: Value) -> Value {
    if let Some(uuid) = uuid {
        message["user_message_uuid"] = uuid.into();
    }
    message
}

pub(super) fn interrupted(fake: Fake, receipt: Value) -> Fake {
    fake.with("control", "interrupt").with("reply", receipt)
}

pub(super) async fn say(client: &mut AgentClient, text: &str, uuid: &str) {
    within(client.query(UserPrompt::text(text).uuid(uuid))).await.unwrap();
}

pub(super) async fn ends_well(client: AgentClient, fake: Fake) {
    assert!(within(client.close()).await.status.unwrap().success());
    fake.is_gone().await;
}

#[tokio::test]
async fn what_is_left_of_an_interrupted_turn_is_not_the_next_ones() {
    for is_named in [true, false] {
        let (a, b) = (is_named.then_some(A), is_named.then_some(B));
        let fake = interrupted(Fake::initialized().then("user").say(of(a, says("one "))), json!({"still_queued": []}))
            .then("user")
            .say(of(a, says("stale ")))
            .say(json!({"type": "user", "message": {"role": "user", "content": "[Request interrupted by user]"}}))
            .say(of(a, error_result()))
            .say(json!({"type": "system", "subtype": "init"}))
            .say(of(b, says("two")))
            .say(of(b, result()));
        let mut client = fake.connect().await;
        say(&mut client, "First.", A).await;
        assert!(within(client.next_response()).await.unwrap().is_ok());
        within(client.interrupt()).await.unwrap();
        say(&mut client, "Second.", B).await;
        let heard = Heard::of_turn(&mut client).await;
        assert_eq!(heard.types(), ["system", "assistant", "result"], "named: {is_named}");
        assert_eq!(heard.text(), "two");
        assert!(!heard.results()[0].is_error);
        ends_well(client, fake).await;
    }
}

#[tokio::test]
async fn an_interrupted_turn_may_be_read_to_its_end() {
    for is_named in [true, false] {
        let (a, b) = (is_named.then_some(A), is_named.then_some(B));
        let fake = interrupted(
            Fake::initialized().then("user").say(of(a, says("one"))),
            json!({"still_queued": []}),
        )
        .say(of(a, error_result()))
        .then("user")
        .say(of(b, says("two")))
        .say(of(b, result()));
        let mut client = fake.connect().await;
        say(&mut client, "First.", A).await;
        within(client.interrupt()).await.unwrap();
        let heard = Heard::of_turn(&mut client).await;
        assert!(heard.results()[0].is_error);
        say(&mut client, "Second.", B).await;
        assert_eq!(Heard::of_turn(&mut client).await.text(), "two");
        ends_well(client, fake).await;
    }
}

#[tokio::test]
async fn several_prompts_are_queued_and_answered_turn_by_turn() {
    for is_named in [true, false] {
        let mut fake = Fake::initialized().then("user").then("user").then("user");
        for (uuid, text) in [(A, "one"), (B, "two"), (C, "three")] {
            let uuid = is_named.then_some(uuid);
            fake = fake.say(of(uuid, says(text))).say(of(uuid, result()));
        }
        let mut client = fake.connect().await;
        for uuid in [A, B, C] {
            say(&mut client, "Go.", uuid).await;
        }
        for text in ["one", "two", "three"] {
            let heard = Heard::of_turn(&mut client).await;
            assert_eq!((heard.text().as_str(), heard.results().len()), (text, 1));
        }
        ends_well(client, fake).await;
    }
}

#[tokio::test]
async fn prompts_that_stay_queued_are_answered_after_an_interrupt() {
    let fake =
        interrupted(Fake::initialized().then("user").then("user"), json!({"still_queued": [B]}))
            .then("user")
            .say(of(Some(A), error_result()))
            .say(of(Some(B), says("two")))
            .say(of(Some(B), result()))
            .say(of(Some(C), says("three")))
            .say(of(Some(C), result()));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    say(&mut client, "Second.", B).await;
    assert_eq!(within(client.interrupt()).await.unwrap().still_queued, [B]);
    say(&mut client, "Third.", C).await;
    for text in ["two", "three"] {
        assert_eq!(Heard::of_turn(&mut client).await.text(), text);
    }
    ends_well(client, fake).await;
}

#[tokio::test]
async fn prompts_that_were_taken_out_of_the_queue_have_no_turn() {
    let fake = interrupted(
        Fake::initialized().then("user").then("user"),
        json!({"still_queued": [], "cancelled": [B]}),
    )
    .say(error_result())
    .then("user")
    .say(says("three"))
    .say(result());
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    say(&mut client, "Second.", B).await;
    assert_eq!(within(client.interrupt()).await.unwrap().cancelled, [B]);
    assert!(Heard::of_turn(&mut client).await.results()[0].is_error);
    say(&mut client, "Third.", C).await;
    assert_eq!(Heard::of_turn(&mut client).await.text(), "three");
    ends_well(client, fake).await;
}

#[tokio::test]
async fn an_interrupt_when_nothing_runs_changes_nothing() {
    let fake = interrupted(Fake::initialized().turn([says("one")]), json!({"still_queued": []}))
        .turn([says("two")]);
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    assert_eq!(Heard::of_turn(&mut client).await.text(), "one");
    within(client.interrupt()).await.unwrap();
    say(&mut client, "Second.", B).await;
    assert_eq!(Heard::of_turn(&mut client).await.text(), "two");
    ends_well(client, fake).await;
}

#[tokio::test]
async fn old_clis_give_no_receipt() {
    for receipt in [json!({}), json!(null), json!({"still_queued": 5})] {
        let fake = interrupted(Fake::initialized(), receipt.clone());
        let client = fake.connect().await;
        // A member of the wrong type costs only itself.
        let answer = within(client.interrupt()).await.unwrap();
        assert_eq!(answer.still_queued, [""; 0]);
        let kept = receipt.get("still_queued").map(ToString::to_string);
        assert_eq!(answer.member("still_queued"), kept.as_deref());
        ends_well(client, fake).await;
    }
}

#[tokio::test]
async fn a_turn_that_the_cli_began_by_itself_is_not_the_prompts() {
    let mut by_itself = result();
    by_itself["origin"] = json!({"kind": "task-notification"});
    let fake = Fake::initialized()
        .then("user")
        .say(says("the task has ended "))
        .say(by_itself)
        .say(says("hi"))
        .say(result());
    let mut client = fake.connect().await;
    say(&mut client, "Hello.", A).await;
    let heard = Heard::of_turn(&mut client).await;
    assert_eq!((heard.text().as_str(), heard.results().len()), ("the task has ended hi", 2));
    ends_well(client, fake).await;
}

#[tokio::test]
async fn all_messages_come_whatever_their_turn() {
    let fake = interrupted(Fake::initialized().then("user"), json!({"still_queued": []}))
        .then("user")
        .say(of(Some(A), error_result()))
        .say(of(Some(B), result()));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    within(client.interrupt()).await.unwrap();
    say(&mut client, "Second.", B).await;
    let mut messages = client.messages();
    for is_error in [true, false] {
        match within(messages.next()).await {
            Some(Ok(toolwright::agent::Message::Result(result))) => {
                assert_eq!(result.is_error, is_error)
            }
            message => panic!("{message:?}"),
        }
    }
    ends_well(client, fake).await;
}

/// A result that answers all of these prompts.
pub(super) fn answers(uuids: &[&str]) -> Value {
    let mut result = of(uuids.first().copied(), result());
    result["user_message_uuids"] = json!(uuids);
    result
}

pub(super) async fn types_of_turn(client: &mut AgentClient) -> Vec<String> {
    Heard::of_turn(client).await.types().into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn turns_may_be_read_in_both_ways() {
    let fake = interrupted(
        Fake::initialized().then("user").say(answers(&[A])),
        json!({"still_queued": []}),
    )
    .then("user")
    .say(json!({"type": "system", "subtype": "init"}))
    .say(answers(&[B]));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    assert!(within(client.messages().next()).await.unwrap().is_ok());
    within(client.interrupt()).await.unwrap();
    say(&mut client, "Second.", B).await;
    assert_eq!(types_of_turn(&mut client).await, ["system", "result"]);
    ends_well(client, fake).await;
}

#[tokio::test]
async fn whoever_stops_at_the_result_reads_the_next_turn_next() {
    let fake = Fake::initialized().turn([says("one")]).turn([says("two")]);
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    while !matches!(
        within(client.next_response()).await,
        Some(Ok(toolwright::agent::Message::Result(_)))
    ) {}
    say(&mut client, "Second.", B).await;
    assert_eq!(Heard::of_turn(&mut client).await.text(), "two");
    ends_well(client, fake).await;
}

#[tokio::test]
async fn an_interrupt_does_not_concern_a_prompt_that_is_sent_after_it() {
    let fake = Fake::initialized()
        .then("user")
        .with("control", "interrupt")
        .then("user")
        .with("reply", json!({"still_queued": []}))
        .say(of(Some(A), error_result()))
        .say(of(Some(B), says("two")))
        .say(answers(&[B]))
        .then("user")
        .say(of(Some(C), says("three")))
        .say(answers(&[C]));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    let handle = client.handle();
    let mut interrupt = std::pin::pin!(handle.interrupt());
    // The request is written when the future is polled first.
    tokio::select! {
        biased;
        answer = &mut interrupt => panic!("{answer:?}"),
        () = std::future::ready(()) => {}
    }
    say(&mut client, "Second.", B).await;
    within(interrupt).await.unwrap();
    say(&mut client, "Third.", C).await;
    for text in ["two", "three"] {
        assert_eq!(Heard::of_turn(&mut client).await.text(), text);
    }
    ends_well(client, fake).await;
}

#[tokio::test]
async fn an_interrupt_by_its_name_is_an_interrupt() {
    let fake = interrupted(Fake::initialized().then("user"), json!({"still_queued": []}))
        .then("user")
        .say(of(Some(A), error_result()))
        .say(of(Some(B), says("two")))
        .say(answers(&[B]));
    let mut client = fake.connect().await;
    say(&mut client, "First.", A).await;
    within(client.request("interrupt", json!({"cancel_queued": true}))).await.unwrap();
    say(&mut client, "Second.", B).await;
    assert_eq!(Heard::of_turn(&mut client).await.text(), "two");
    ends_well(client, fake).await;
}
