//! A CLI that does not end when it should, or not all of it.

use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};
use toolwright::agent::transport::ProcessGroup;
use toolwright::agent::{
    AgentClient, AgentOptions, ControlError, Permission, PermissionRequest, RunError, query,
};
use toolwright::{ToolRegistry, tool, tools};

use super::fake::{Fake, gone};
use super::{Heard, SHORT, TOO_LONG, call, can_use_tool, result, says, within};

/// Options whose graces are short.
fn hasty(fake: &Fake) -> AgentOptions {
    fake.options().close_grace(SHORT).terminate_grace(SHORT).build().unwrap()
}

/// Says as much as was asked for.
#[tool]
fn babble(bytes: usize) -> String {
    "x".repeat(bytes)
}

#[tokio::test]
async fn a_cli_that_only_closes_its_output_is_ended() {
    let fake = Fake::initialized().then("user").say(says("bye")).then("close_output").then("sleep");
    let mut run = within(query("Go.", hasty(&fake))).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert_eq!(heard.text(), "bye");
    assert!(matches!(heard.error, Some(RunError::Process(_))), "{heard:?}");
    fake.is_gone().await;
}

#[tokio::test]
async fn requests_to_a_cli_that_closed_its_output_fail() {
    let fake = Fake::initialized().then("close_output").then("sleep");
    let client = within(AgentClient::connect(hasty(&fake))).await.unwrap();
    let since = Instant::now();
    assert!(matches!(within(client.mcp_status()).await, Err(ControlError::Closed { .. })));
    assert!(since.elapsed() < TOO_LONG / 2);
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_closes_its_output_and_ends_with_its_input_has_ended_well() {
    let fake = Fake::initialized().turn([says("hi")]).then("close_output").then("end");
    let mut client = fake.connect().await;
    client.query("Go.").await.unwrap();
    assert_eq!(Heard::of_turn(&mut client).await.text(), "hi");
    assert!(within(client.next_response()).await.is_none());
    assert!(within(client.close()).await.status.unwrap().success());
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_ignores_the_end_of_its_input_is_terminated() {
    let fake = Fake::initialized().then("sleep");
    let exit = within(within(AgentClient::connect(hasty(&fake))).await.unwrap().close()).await;
    assert_eq!(exit.status.unwrap().signal(), Some(Signal::TERM.as_raw()));
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_ignores_sigterm_too_is_killed() {
    let fake = Fake::new().then("ignore_sigterm").initialize(json!({})).then("sleep");
    let exit = within(within(AgentClient::connect(hasty(&fake))).await.unwrap().close()).await;
    assert_eq!(exit.status.unwrap().signal(), Some(Signal::KILL.as_raw()));
    fake.is_gone().await;

    let fake = Fake::new()
        .then("ignore_sigterm")
        .initialize(json!({}))
        .then("user")
        .say(says("I stay"))
        .then("sleep");
    let mut run = within(query("Go.", hasty(&fake))).await.unwrap();
    assert!(matches!(within(run.next()).await, Some(Ok(_))));
    within(run.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn what_a_cli_says_while_it_is_closed_does_not_hold_it_up() {
    // More than the pipe holds, so that it ends only if somebody reads.
    let fake = Fake::initialized()
        .then("end")
        .with("repeat", json!([20_000, "{\"type\":\"late\",\"n\":{n}}"]))
        .with("exit", 0);
    let client =
        within(AgentClient::connect(fake.options().close_grace(TOO_LONG).build().unwrap()))
            .await
            .unwrap();
    assert!(within(client.close()).await.status.unwrap().success());
    fake.is_gone().await;
}

fn grandchild(heard: &Value) -> Pid {
    Pid::from_raw(i32::try_from(heard["id"].as_u64().unwrap()).unwrap()).unwrap()
}

#[tokio::test]
async fn a_grandchild_that_holds_the_output_ends_with_the_cli() {
    for code in [0, 3] {
        let fake = Fake::initialized()
            .then("user")
            .with("grandchild", false)
            .say(result())
            .with("exit", code);
        let mut run = fake.query().await;
        let heard = Heard::of(&mut run).await;
        assert_eq!(heard.types(), ["grandchild", "result"]);
        assert_eq!(heard.error.is_some(), code != 0, "{heard:?}");
        // It is in the group, so that is empty only when it is gone.
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn a_daemon_that_holds_the_output_holds_up_nothing_and_is_left_alone() {
    let fake =
        Fake::initialized().then("user").with("grandchild", true).say(result()).with("exit", 0);
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!(heard.types(), ["grandchild", "result"]);
    fake.is_gone().await;
    let daemon = grandchild(&heard.value("grandchild"));
    assert!(test_kill_process(daemon).is_ok());
    kill_process(daemon, Signal::KILL).unwrap();
    gone(daemon).await;
}

#[tokio::test]
async fn a_cli_that_has_to_be_killed_takes_what_has_left_its_group_with_it() {
    for group in [ProcessGroup::Own, ProcessGroup::Inherited] {
        let fake = Fake::new().then("ignore_sigterm").initialize(json!({})).then("user");
        let fake = fake.with("grandchild", true).then("sleep");
        let options = fake.options().close_grace(SHORT).terminate_grace(SHORT).process_group(group);
        let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
        let message = within(run.next()).await.unwrap().unwrap();
        let left = grandchild(&serde_json::from_str(message.raw()).unwrap());
        within(run.close()).await;
        gone(left).await;
    }
}

#[tokio::test]
async fn a_cli_that_never_reads_holds_up_nobody() {
    let fake = Fake::initialized().then("sleep");
    let mut client = within(AgentClient::connect(hasty(&fake))).await.unwrap();
    // Many times what the pipe holds.
    for _ in 0..8 {
        within(client.query("x".repeat(1024 * 1024))).await.unwrap();
    }
    within(client.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn answers_that_a_cli_never_reads_hold_up_no_message() {
    let registry = ToolRegistry::builder("loud").tools(tools![babble]).build().unwrap();
    let mut fake = Fake::initialized().then("user");
    for id in 0..8 {
        fake =
            fake.ask(&format!("c{id}"), call("loud", id, "babble", json!({"bytes": 1024 * 1024})));
        fake = fake.ask(&format!("p{id}"), can_use_tool("Bash", json!({})));
    }
    let fake = fake
        .with("repeat", json!([5_000, "{\"type\":\"tick\",\"n\":{n}}"]))
        .say(result())
        .then("sleep");
    let options = fake
        .options()
        .mcp_server(registry)
        .can_use_tool(|_: PermissionRequest| async { Permission::allow() });
    let options = options.close_grace(SHORT).terminate_grace(SHORT).build().unwrap();
    let mut run = within(query("Go.", options)).await.unwrap();
    for n in 0..=5_000 {
        assert!(matches!(within(run.next()).await, Some(Ok(_))), "message {n}");
    }
    within(run.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn a_request_to_a_cli_that_never_reads_times_out() {
    let fake = Fake::initialized().then("sleep");
    let options = fake
        .options()
        .control_timeout(SHORT)
        .close_grace(SHORT)
        .terminate_grace(SHORT)
        .build()
        .unwrap();
    let mut client = within(AgentClient::connect(options)).await.unwrap();
    client.query("x".repeat(1024 * 1024)).await.unwrap();
    assert!(matches!(within(client.interrupt()).await, Err(ControlError::TimedOut { .. })));
    drop(client);
    fake.is_gone().await;
}

#[tokio::test]
async fn closing_takes_no_longer_than_the_graces() {
    let fake = Fake::new().then("ignore_sigterm").initialize(json!({})).then("sleep");
    let client = within(AgentClient::connect(hasty(&fake))).await.unwrap();
    let since = Instant::now();
    within(client.close()).await;
    let took = since.elapsed();
    assert!(took >= 2 * SHORT && took < 2 * SHORT + Duration::from_secs(10), "{took:?}");
}
