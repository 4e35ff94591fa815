//! How it ends.

use std::os::unix::process::ExitStatusExt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use super::{allowed, last_result, play, registry};
use crate::agent::transport::Transport;
use crate::agent::{AgentClient, AgentOptions, HookMatcher, HookOutput, RunError, query_with};
use crate::testing::{Gate, Reply, ScriptedCli};

#[tokio::test]
async fn a_script_at_its_end_says_so() {
    let (_, result) = play(ScriptedCli::new(), allowed()).await;
    assert!(result.is_error);
    assert_eq!(result.text(), "The script of the CLI has no more turns");
    // No model was asked, and a cost of -0 would be printed so.
    assert_eq!(result.member("total_cost_usd"), Some("0.0"));
    let options = AgentOptions::builder().build().unwrap();
    let error =
        query_with(ScriptedCli::new(), "Go.", options).await.unwrap().finish().await.unwrap_err();
    assert!(matches!(error, RunError::ErrorResult { .. }), "{error}");
}

#[tokio::test]
async fn the_exit_status_tells_of_an_error_result() {
    for (is_error, code) in [(false, 0), (true, 1)] {
        let cli = ScriptedCli::new()
            .turn(|t| if is_error { t.fail("API Error: 529 overloaded") } else { t.say("Hello.") });
        let run = query_with(cli, "Go.", allowed().build().unwrap()).await.unwrap();
        let handle = run.handle();
        let result = last_result(run).await;
        assert_eq!(result.is_error, is_error);
        while handle.exit().is_none() {
            tokio::task::yield_now().await;
        }
        assert_eq!(handle.exit().unwrap().status.unwrap().code(), Some(code));
    }
}

#[tokio::test]
async fn turns_can_be_limited() {
    let cli = ScriptedCli::new().turn(|t| t.call("mcp__calc__list", json!({})).say("never said"));
    let (_, result) = play(cli, allowed().max_turns(1)).await;
    assert_eq!((result.subtype.as_str(), result.num_turns), ("error_max_turns", 2));
    assert_eq!(result.text(), "Reached maximum number of turns (1)");
}

#[tokio::test]
async fn requests_after_the_end_of_input_fail_as_with_the_real_cli() {
    // Nothing here needs answers, so that the input ends right behind the prompt.
    let cli = ScriptedCli::new().turn(|t| t.until_interrupted().say("Hello."));
    let run = query_with(cli, "Go.", AgentOptions::builder().build().unwrap()).await.unwrap();
    assert_eq!(last_result(run).await.text(), "Hello.");
}

#[tokio::test]
async fn closing_ends_a_turn_that_waits() {
    let waits = ScriptedCli::new().turn(|t| t.say("On and on.").until_interrupted());
    let calls = || ScriptedCli::new().turn(|t| t.call("mcp__calc__wait", json!({})).say_result());
    let hooked = allowed()
        .hook(HookMatcher::pre_tool_use("*"), |_, _| std::future::pending::<HookOutput<_>>());
    for (cli, options) in [(waits, allowed()), (calls(), allowed()), (calls(), hooked)] {
        let seen = cli.seen();
        let mut client = AgentClient::connect_with(cli, options.build().unwrap()).await.unwrap();
        client.query("Go.").await.unwrap();
        while !seen.transcript().contains("CLI assistant") {
            tokio::task::yield_now().await;
        }
        client.close().await;
        assert!(seen.has_ended());
    }
}

/// CLIs that do not end by themselves.
fn endless() -> [ScriptedCli; 3] {
    let gate = Gate::new();
    let reply = Reply::new().text("Never.").held_by(&gate);
    let cli = || ScriptedCli::new();
    [
        cli().turn(|t| t.say("Well,").hold(&gate)),
        cli().turn(|t| t.say("Well,").reply(reply)),
        cli().turn(|t| t.say("Well,").wait(Duration::from_secs(3600))),
    ]
}

#[tokio::test(start_paused = true)]
async fn closing_terminates_a_cli_that_does_not_end() {
    for cli in endless() {
        let seen = cli.seen();
        let options = allowed().build().unwrap();
        let mut client = AgentClient::connect_with(cli, options).await.unwrap();
        client.query("Go.").await.unwrap();
        while !seen.transcript().contains("CLI assistant") {
            tokio::task::yield_now().await;
        }
        let exit = timeout(Duration::from_secs(60), client.close()).await.expect("it hangs");
        assert_eq!(exit.status.unwrap().signal(), Some(15));
        assert!(seen.has_ended());
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_at_a_gate_ends() {
    for cli in endless() {
        let seen = cli.seen();
        let mut run = query_with(cli, "Go.", allowed().build().unwrap()).await.unwrap();
        run.next().await.unwrap().unwrap();
        drop(run);
        let ended = async {
            while !seen.has_ended() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        };
        timeout(Duration::from_secs(60), ended).await.expect("it goes on");
    }
}

#[tokio::test]
async fn a_dropped_run_leaves_nothing() {
    let held = Arc::new(());
    let weak: Weak<()> = Arc::downgrade(&held);
    let cli = ScriptedCli::new().turn(|t| t.call("mcp__calc__wait", json!({})));
    let options = allowed().hook(HookMatcher::stop(), move |_, _| {
        let _held = &held;
        async { HookOutput::default() }
    });
    let mut run = query_with(cli, "Go.", options.build().unwrap()).await.unwrap();
    run.next().await.unwrap().unwrap();
    drop(run);
    while weak.upgrade().is_some() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_connection_that_is_dropped_leaves_nothing() {
    let cli = ScriptedCli::new();
    let seen = cli.seen();
    let connection =
        Box::new(cli).connect(crate::agent::transport::Launch::default()).await.unwrap();
    drop(connection);
    // Only this handle is left of it; the task is gone as soon as the runtime has turned once.
    while seen.holders() > 1 {
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_runtime_that_goes_takes_it_along() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let cli = ScriptedCli::new().turn(|t| t.until_interrupted());
    let seen = cli.seen();
    let client = runtime.block_on(async {
        let mut client = AgentClient::connect_with(
            cli,
            AgentOptions::builder().mcp_server(registry()).build().unwrap(),
        )
        .await
        .unwrap();
        client.query("Go.").await.unwrap();
        client
    });
    drop(runtime);
    drop(client);
    assert_eq!(seen.holders(), 1);
}
