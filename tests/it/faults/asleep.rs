//! A consumer that reads nothing while the CLI goes on.

use serde_json::{Value, json};
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{
    AgentOptionsBuilder, HookContext, HookOutput, Permission, PermissionRequest, RunError, query,
};
use toolwright::{ToolRegistry, tool, tools};

use super::fake::Fake;
use super::{Heard, SHORT, call, can_use_tool, hook, result, rpc, within};

const TICK: &str = r#"{"type":"tick","n":{n},"pad":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}"#;

/// Add two numbers.
#[tool(read_only)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn with_all(options: AgentOptionsBuilder) -> AgentOptionsBuilder {
    options
        .mcp_server(ToolRegistry::builder("calc").tools(tools![add]).build().unwrap())
        .can_use_tool(|_: PermissionRequest| async { Permission::allow() })
        .hook(HookMatcher::pre_tool_use("*"), |_, _: HookContext| async { HookOutput::default() })
}

/// Asks all that can be asked and waits for the answers.
fn asking(fake: Fake, round: u64) -> Fake {
    let ids = ["p", "h", "c", "n", "l"].map(|kind| format!("{kind}{round}"));
    fake.ask(&ids[0], can_use_tool("Bash", json!({"command": "ls"})))
        .ask(&ids[1], hook(0))
        .ask(&ids[2], call("calc", 10 + round, "add", json!({"a": 2, "b": 40})))
        .ask(&ids[3], rpc("calc", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})))
        .ask(
            &ids[4],
            rpc("calc", json!({"jsonrpc": "2.0", "id": 100 + round, "method": "tools/list"})),
        )
        .with("answers", ids.to_vec())
}

fn number(line: &str) -> u64 {
    serde_json::from_str::<Value>(line).unwrap()["n"].as_u64().unwrap()
}

#[tokio::test]
async fn requests_are_answered_while_nobody_reads_and_no_message_is_lost() {
    let half = json!([10_000, TICK]);
    let fake = asking(Fake::initialized().then("user").with("repeat", half.clone()), 1);
    let fake = asking(fake.with("repeat", half), 2)
        .with("stderr", "all answered\n")
        .then("report")
        .say(result());
    let mut run = within(query("Go.", with_all(fake.options()).build().unwrap())).await.unwrap();
    fake.tells("all answered").await;
    let heard = Heard::of(&mut run).await;
    assert!(heard.error.is_none());
    let ticks: Vec<_> = heard
        .messages
        .iter()
        .filter(|message| message.r#type() == "tick")
        .map(|message| number(message.raw()))
        .collect();
    assert!(ticks.iter().copied().eq((0..10_000).chain(0..10_000)), "{} messages", ticks.len());
    assert_eq!(heard.types().last(), Some(&"result"));
    let report = heard.report();
    for id in ["p1", "h1", "c1", "n1", "l1", "p2", "h2", "c2", "n2", "l2"] {
        assert_eq!(report.answer(id)["subtype"], "success", "{id}");
    }
    fake.is_gone().await;
}

#[tokio::test]
async fn what_nobody_reads_ends_the_run_at_the_bound() {
    const BOUND: usize = 100_000;
    let fake = Fake::initialized().then("user").with("repeat", json!([20_000, TICK])).then("sleep");
    let options = with_all(fake.options())
        .max_unread(BOUND)
        .close_grace(SHORT)
        .terminate_grace(SHORT)
        .build()
        .unwrap();
    let mut run = within(query("Go.", options)).await.unwrap();
    fake.is_gone().await;
    let mut bytes = 0;
    let mut next = 0;
    let error = loop {
        match within(run.next()).await.unwrap() {
            Ok(message) => {
                assert_eq!(number(message.raw()), next, "everything that came before is delivered");
                bytes += message.raw().len();
                next += 1;
            }
            Err(error) => break error,
        }
    };
    assert!(
        matches!(error, RunError::Unread { unread, bound: BOUND } if unread == bytes && bytes > BOUND),
        "{error:?} after {bytes}"
    );
    assert!(within(run.next()).await.is_none());
}

#[tokio::test]
async fn with_back_pressure_a_run_waits_for_its_reader() {
    const COUNT: u64 = 20_000;
    let fake = Fake::initialized().then("user").with("repeat", json!([COUNT, TICK])).then("end");
    let options = with_all(fake.options()).max_unread(1_000).backpressure(true).build().unwrap();
    let mut run = within(query("Go.", options.clone())).await.unwrap();
    for next in 0..COUNT {
        let message = within(run.next()).await.unwrap().unwrap();
        assert_eq!(number(message.raw()), next, "nothing is lost");
    }
    within(run.close()).await;
    fake.is_gone().await;

    // Who does not read can still close it.
    let run = within(query("Go.", options)).await.unwrap();
    within(run.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn requests_are_still_answered_while_a_run_ends_at_the_bound() {
    let fake = Fake::initialized()
        .then("user")
        .with("repeat", json!([5_000, TICK]))
        .then("end")
        .with("exit", 0);
    let options = with_all(fake.options()).max_unread(1_000).build().unwrap();
    let run = within(query("Go.", options)).await.unwrap();
    // The CLI ends with its input, so the bound has closed that and nobody had to be killed.
    fake.is_gone().await;
    assert!(run.handle().exit().is_none_or(|exit| exit.status.unwrap().success()));
}

#[tokio::test]
async fn a_consumer_that_keeps_up_is_not_held_to_the_bound() {
    let fake = (0..20).fold(Fake::initialized(), |fake, _| {
        fake.turn([json!({"type": "tick", "pad": "x".repeat(1_000)})])
    });
    let mut client = within(toolwright::agent::AgentClient::connect(
        fake.options().max_unread(5_000).build().unwrap(),
    ))
    .await
    .unwrap();
    for _ in 0..20 {
        client.query("Go.").await.unwrap();
        assert!(Heard::of_turn(&mut client).await.error.is_none());
    }
    within(client.close()).await;
    fake.is_gone().await;
}
