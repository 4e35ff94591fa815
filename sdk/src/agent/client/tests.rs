use serde_json::json;

use super::*;
use crate::agent::memory_cli::{is_prompt, play, result};
use crate::testing::ScriptedCli;

mod dropped;

#[tokio::test]
async fn what_is_sent_behind_a_large_prompt_reaches_the_cli() {
    let (cli, _lines) = play(|line| is_prompt(line).then(|| result("ok")).into_iter().collect());
    let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    let large = client.ask("x".repeat((64 << 20) + 1)).await.unwrap();
    client.set_model(Some("haiku")).await.unwrap();
    let small = client.ask("And this?").await.unwrap();
    large.finish().await.unwrap();
    small.finish().await.unwrap();
}

/// The bound is then the least that there is, 65 KiB.
const MAX_LINE: usize = 1;

#[tokio::test]
async fn a_result_over_the_bound_ends_its_turn_with_an_error() {
    let long = || result(&"x".repeat(100_000));
    let (cli, _lines) = play(move |line| is_prompt(line).then(long).into_iter().collect());
    let options = AgentOptions::builder().max_line(MAX_LINE).build().unwrap();
    let mut client = AgentClient::connect_with(cli, options).await.unwrap();
    let turn = client.ask("Go.").await.unwrap();
    let error = turn.finish().await.unwrap_err();
    assert!(
        matches!(&error, RunError::ErrorResult { text, .. } if text.contains("100")),
        "{error}"
    );
    client.query("Go.").await.unwrap();
    let Message::Result(last) = client.next_response().await.unwrap().unwrap() else { panic!() };
    assert_eq!((last.is_error, last.num_turns), (true, 3));
    assert!(client.next_response().await.is_none());
}

#[cfg(feature = "sessions")]
#[tokio::test]
async fn entries_over_the_bound_are_told_before_the_result() {
    use crate::agent::message::SystemMessage;
    use crate::agent::sessions::{InMemoryStore, SessionEntry, SessionKey, SessionStore};

    const ID: &str = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";
    let frame = |uuid: &str, length: usize| {
        let path = format!("/home/u/.claude/projects/-work/{ID}.jsonl");
        let entry = json!({"type": "user", "uuid": uuid, "text": "x".repeat(length)});
        format!(r#"{{"type":"transcript_mirror","filePath":"{path}","entries":[{entry}]}}"#)
    };
    let said = move || [frame("a", 1), frame("b", 100_000), frame("c", 1), result("ok")];
    let (cli, _lines) =
        play(move |line| is_prompt(line).then(said).into_iter().flatten().collect());
    let store = Arc::new(InMemoryStore::default());
    let options =
        AgentOptions::builder().max_line(MAX_LINE).session_store(store.clone()).build().unwrap();
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    let mut turn = client.ask("Go.").await.unwrap();
    let mut told = 0;
    while let Some(message) = turn.next().await {
        told +=
            usize::from(matches!(message.unwrap(), Message::System(SystemMessage::MirrorError(_))));
    }
    assert_eq!(told, 1);
    let stored = store.load(&SessionKey::new("-work", ID)).await.unwrap().unwrap();
    assert!(stored.iter().filter_map(SessionEntry::uuid).eq(["a", "c"]), "{stored:?}");
}

#[tokio::test]
async fn turns_that_are_read_to_their_ends_leave_nothing_unread() {
    const COUNT: usize = 300;
    for waits in [false, true] {
        let cli = (0..COUNT).fold(ScriptedCli::new(), |cli, _| cli.turn(|turn| turn.say("Yes.")));
        let options =
            AgentOptions::builder().max_unread(16 << 10).backpressure(waits).build().unwrap();
        let client = AgentClient::connect_with(cli, options).await.unwrap();
        for _ in 0..COUNT {
            client.ask("Is it?").await.unwrap().finish().await.unwrap();
        }
    }
}

#[tokio::test]
async fn what_belongs_to_no_turn_counts_until_it_is_read() {
    const COUNT: usize = 100;
    for reads in [true, false] {
        let cli =
            (0..2 * COUNT).fold(ScriptedCli::new(), |cli, _| cli.turn(|turn| turn.say("Yes.")));
        let options = AgentOptions::builder().max_unread(32 << 10).build().unwrap();
        let mut client = AgentClient::connect_with(cli, options).await.unwrap();
        let mut asks = async || {
            client.send("By the way.").await?;
            client.ask("Is it?").await?.finish().await?;
            while reads && client.next_response().await.is_some() {
                while client.next_response().await.is_some() {}
            }
            Ok(())
        };
        let mut end = Ok(());
        for _ in 0..COUNT {
            end = end.and(asks().await);
        }
        assert_eq!(matches!(end, Err(RunError::Unread { .. })), !reads, "{end:?}");
        assert_eq!(end.is_ok(), reads);
    }
}

#[tokio::test]
async fn a_prompt_to_a_conversation_that_is_being_closed_is_refused() {
    for drops in [true, false] {
        let (cli, _lines) = play(|_| Vec::new());
        let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
        let handle = client.handle();
        let closing = (!drops).then(|| Box::pin(client.close()));
        if let Some(mut closing) = closing {
            let mut cx = Context::from_waker(std::task::Waker::noop());
            assert!(closing.as_mut().poll(&mut cx).is_pending());
        }
        let error = handle.send("Hello?").await.unwrap_err();
        assert!(matches!(error, RunError::InputClosed), "{error}");
    }
}

#[tokio::test]
async fn a_prompt_that_runs_no_turn_is_not_waited_for() {
    let cli = ScriptedCli::new().turn(|turn| turn.say("Yes."));
    let mut client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    let note = || UserPrompt::text("A note.").extra("shouldQuery", false);
    client.query(note()).await.unwrap();
    assert!(matches!(client.ask(note()).await, Err(RunError::NoTurn)));
    assert!(client.next_response().await.is_none());
    client.query("Ready?").await.unwrap();
    let mut results = 0;
    while let Some(message) = client.next_response().await {
        results += usize::from(matches!(message.unwrap(), Message::Result(_)));
    }
    assert_eq!(results, 1);
    assert!(client.next_response().await.is_none());
}

#[tokio::test]
async fn an_interrupt_whose_future_is_dropped_is_noted_all_the_same() {
    let cli = ScriptedCli::new().turn(|turn| turn.until_interrupted()).turn(|turn| turn.say("B."));
    let mut client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    client.query("a").await.unwrap();
    while !matches!(client.next_response().await.unwrap().unwrap(), Message::System(_)) {}
    {
        let handle = client.handle();
        let mut interrupt = std::pin::pin!(handle.interrupt());
        let mut cx = Context::from_waker(std::task::Waker::noop());
        assert!(interrupt.as_mut().poll(&mut cx).is_pending());
    }
    client.query("b").await.unwrap();
    let mut texts = Vec::new();
    while let Some(message) = client.next_response().await {
        if let Message::Result(result) = message.unwrap() {
            texts.push(result.text().into_owned());
        }
    }
    assert_eq!(texts, ["B."]);
}

#[tokio::test]
async fn hooks_that_block_on_failure_have_to_be_taken() {
    use serde_json::Value;

    use crate::agent::{HookMatcher, HookOutput, OnFailure};

    for (applied, is_taken) in [(Value::Null, true), (true.into(), true), (false.into(), false)] {
        let info = json!({"hook_on_failure_supported": true, "hooks_applied": applied});
        let (cli, _lines) = play(move |line| {
            let response = json!({"subtype": "success", "request_id": "req_1", "response": info});
            let answer = json!({"type": "control_response", "response": response}).to_string();
            line.contains("\"initialize\"").then_some(answer).into_iter().collect()
        });
        let matcher = HookMatcher::pre_tool_use("*").on_failure(OnFailure::Block);
        let options = AgentOptions::builder().hook(matcher, async |_, _| HookOutput::default());
        let connected = AgentClient::connect_with(cli, options.build().unwrap()).await;
        assert_eq!(connected.is_ok(), is_taken, "{applied}");
    }
}

/// An `AssistantMessage` has no received tokens, as with the real CLI.
#[tokio::test]
async fn partial_messages_have_what_an_answer_costs() {
    use crate::agent::message::{ApiEvent, Prices, Rates, Usage};

    let mut prices = Prices::none();
    prices.set("scripted", Rates::new(4.0, 20.0), "");
    let cli = ScriptedCli::new().turn(|turn| {
        turn.think("Two words.").say("Good day.").call("Bash", json!({})).say("Good night.")
    });
    let options = AgentOptions::builder().include_partial_messages(true).build().unwrap();
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    let mut turn = client.ask("Hello.").await.unwrap();
    let (mut usage, mut sum) = (Usage::default(), 0.0);
    while let Some(message) = turn.next().await {
        match message.unwrap() {
            Message::StreamEvent(message) => match message.event {
                ApiEvent::MessageStart(start) => usage = start.message.usage,
                ApiEvent::MessageDelta(end) => {
                    usage.output_tokens = end.usage.output_tokens;
                    sum += prices.estimate("scripted", &usage).unwrap();
                }
                _ => {}
            },
            Message::Assistant(part) => assert_eq!(part.message.usage.output_tokens, 0),
            Message::Result(result) => {
                assert!(sum > 0.0 && (sum - result.total_cost_usd).abs() < 1e-12, "{sum}");
            }
            _ => {}
        }
    }
    client.close().await;
}

#[tokio::test]
async fn a_run_that_ends_before_the_answer_has_no_result_of_another_turn() {
    for is_error in [false, true] {
        let said = move || {
            let result = json!({"type": "result", "resume_reason": "x", "is_error": is_error});
            [json!({"type": "system", "subtype": "init"}), result].map(|line| line.to_string())
        };
        let (cli, _lines) =
            play(move |line| is_prompt(line).then(said).into_iter().flatten().collect());
        let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
        let mut turn = client.ask("Go.").await.unwrap();
        while !matches!(turn.next().await.unwrap().unwrap(), Message::Result(_)) {}
        let (end, _) = tokio::join!(turn.finish(), client.close());
        assert!(matches!(end, Err(RunError::NoResult)), "{end:?}");
    }
}

#[tokio::test]
async fn what_a_turn_that_is_dropped_would_have_had_is_not_unread() {
    for (waits, lines, bound) in [(true, 200, 16 << 10), (false, 4096, 2 << 20)] {
        let line = json!({"type": "system", "subtype": "x", "text": "x".repeat(1024)}).to_string();
        let said = move || vec![line.clone(); lines].into_iter().chain([result("ok")]);
        let (cli, _lines) =
            play(move |line| is_prompt(line).then(&said).into_iter().flatten().collect());
        let options = AgentOptions::builder().max_unread(bound).backpressure(waits);
        let options = options.control_timeout(std::time::Duration::from_secs(10)).build().unwrap();
        let client = AgentClient::connect_with(cli, options).await.unwrap();
        drop(client.ask("Go.").await.unwrap());
        client.set_model(None).await.unwrap();
        client.ask("Go on.").await.unwrap().finish().await.unwrap_or_else(|error| {
            panic!("{error}, with back pressure: {waits}");
        });
    }
}

/// Whoever shows a turn, or reads its last result, must not take it for the answer.
#[tokio::test]
async fn a_prompt_without_an_answer_does_not_get_that_to_something_else() {
    const B: &str = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
    let by_itself =
        r#"{"type":"result","result":"A task ended.","origin":{"kind":"task-notification"}}"#;
    let withdrawn =
        format!(r#"{{"type":"command_lifecycle","command_uuid":"{B}","state":"cancelled"}}"#);
    let said = [by_itself.to_owned(), withdrawn];
    let (cli, _lines) =
        play(move |line| is_prompt(line).then_some(said.clone()).into_iter().flatten().collect());
    let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    let mut turn = client.ask(UserPrompt::text("And?").uuid(B)).await.unwrap();
    let mut last = None;
    while let Some(message) = turn.next().await {
        last = Some(message);
    }
    assert!(matches!(last, Some(Err(RunError::Withdrawn))), "{last:?}");
    assert!(matches!(turn.finish().await, Err(RunError::Withdrawn)));
}
