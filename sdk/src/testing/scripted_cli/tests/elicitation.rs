//! Questions of servers that the CLI talks to.

use std::future::pending;
use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{asked, play, response, result};
use crate::agent::elicitation::ElicitationKind;
use crate::agent::{
    AgentClient, AgentOptions, AgentOptionsBuilder, ElicitationAnswer, ElicitationRequest,
};
use crate::testing::{Recorder, ScriptedCli};

fn form() -> Value {
    json!({
        "message": "Who?",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
        "_meta": {"anthropic/permissionDisplay": {"title": "T", "displayName": "D"}},
    })
}

fn page() -> Value {
    json!({"mode": "url", "message": "Pay.", "url": "https://a.example/", "elicitationId": "e"})
}

fn answering(
    answer: impl Fn(ElicitationRequest) -> ElicitationAnswer + Clone + Send + Sync + 'static,
) -> AgentOptionsBuilder {
    AgentOptions::builder().on_elicitation(move |question| std::future::ready(answer(question)))
}

/// What the server of a turn with this question gets.
async fn answer_to(question: Value, options: AgentOptionsBuilder) -> (Recorder, String) {
    let cli = ScriptedCli::new().turn(|turn| turn.elicit("shop", question).say_result());
    let (seen, result) = play(cli, options).await;
    let text = result.text().into_owned();
    (seen, text)
}

#[tokio::test]
async fn a_question_says_what_the_real_one_says() {
    let (seen, answer) = answer_to(form(), answering(|question| question.decline())).await;
    assert_eq!(answer, r#"{"action":"decline"}"#);
    expect![[r#"{"subtype":"elicitation","mcp_server_name":"shop","message":"Who?","mode":"form","requested_schema":{"type":"object","properties":{"name":{"type":"string"}}},"property_order":["name"],"title":"T","display_name":"D"}"#]]
        .assert_eq(&asked(&seen, "elicitation")[0].to_string());
    let transcript = seen.transcript();
    let states: Vec<_> = transcript.lines().filter_map(|line| line.split_once("state ")).collect();
    assert_eq!(
        states.iter().map(|(_, state)| *state).collect::<Vec<_>>(),
        ["running", "requires_action", "running", "idle"]
    );

    let (seen, _) = answer_to(page(), answering(|question| question.decline())).await;
    expect![[r#"{"subtype":"elicitation","mcp_server_name":"shop","message":"Pay.","mode":"url","url":"https://a.example/","elicitation_id":"e"}"#]]
        .assert_eq(&asked(&seen, "elicitation")[0].to_string());
}

#[tokio::test]
async fn the_server_gets_what_the_callback_answers() {
    let named = answering(|question| question.accept(json!({"name": question.mcp_server_name})));
    let (_, answer) = answer_to(form(), named).await;
    assert_eq!(answer, r#"{"action":"accept","content":{"name":"shop"}}"#);
    let visited = answering(|question| match &question.kind {
        ElicitationKind::Url { url, .. } if url == "https://a.example/" => question.agree(),
        _ => question.decline(),
    });
    assert_eq!(answer_to(page(), visited).await.1, r#"{"action":"accept"}"#);
}

#[tokio::test]
async fn nobody_to_answer_is_a_cancellation() {
    let (_, answer) = answer_to(form(), AgentOptions::builder()).await;
    assert_eq!(answer, r#"{"action":"cancel"}"#);
    for options in [
        answering(|_| panic!("a panic that the test asked for")),
        answering(|question| question.accept("no object")),
    ] {
        let (seen, answer) = answer_to(form(), options).await;
        assert_eq!(answer, r#"{"action":"cancel"}"#);
        assert!(seen.transcript().contains("SDK   refuses elicitation"));
    }
}

/// Tells when it is dropped.
struct Guard(mpsc::UnboundedSender<&'static str>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

/// A callback that never answers, and what happens to it.
fn endless() -> (AgentOptionsBuilder, mpsc::UnboundedReceiver<&'static str>) {
    let (events, heard) = mpsc::unbounded_channel();
    let options = AgentOptions::builder().on_elicitation(move |question| {
        let guard = Guard(events.clone());
        async move {
            let _guard = guard;
            let _ = _guard.0.send("began");
            question.withdrawn.cancelled().await;
            pending::<ElicitationAnswer>().await
        }
    });
    (options, heard)
}

#[tokio::test]
async fn an_interrupt_withdraws_a_question() {
    let (options, mut heard) = endless();
    let cli = ScriptedCli::new().turn(|turn| turn.elicit("shop", form()).say("never said"));
    let seen = cli.seen();
    let options = options.build().unwrap();
    let mut client = AgentClient::connect_with(cli, options).await.unwrap();
    client.query("Go.").await.unwrap();
    assert_eq!(heard.recv().await, Some("began"));
    client.interrupt().await.unwrap();
    assert_eq!(heard.recv().await, Some("dropped"));
    assert_eq!(result(&response(&mut client).await).subtype, "error_during_execution");
    client.close().await;
    let transcript = seen.transcript();
    let withdrawn = "CLI withdraws elicitation\nCLI state running\n";
    assert!(transcript.contains(withdrawn), "{transcript}");
    assert!(!transcript.contains("SDK   answers elicitation"), "{transcript}");
}

#[tokio::test(start_paused = true)]
async fn a_question_can_be_withdrawn_after_a_time() {
    let (options, mut heard) = endless();
    let limit = Duration::from_secs(5);
    let cli =
        ScriptedCli::new().turn(|turn| turn.elicit_within(limit, "shop", form()).say_result());
    let (seen, result) = play(cli, options).await;
    assert_eq!((heard.recv().await, heard.recv().await), (Some("began"), Some("dropped")));
    assert_eq!(result.text(), r#"{"action":"cancel"}"#);
    assert!(seen.transcript().contains("CLI withdraws elicitation"));
}
