use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use super::*;
use crate::agent::{HookMatcher, HookOutput};

/// What a panic says.
fn said<T>(expectation: impl FnOnce() -> T) -> String {
    let payload = catch_unwind(AssertUnwindSafe(expectation)).map(drop).unwrap_err();
    let constant = payload.downcast_ref::<&str>().map(ToString::to_string);
    constant.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap()
}

#[tokio::test]
async fn a_failed_expectation_shows_the_calls() {
    let cli = ScriptedCli::new()
        .builtin("Bash", "3 files")
        .turn(|turn| turn.call("Bash", json!({"command": "ls"})).call("Bash", json!({})))
        .turn(|turn| turn.say("again"));
    let seen = cli.seen();
    assert_eq!(said(|| seen.expect_all_played()), "no turn was played: there was no prompt");
    assert_eq!(
        said(|| seen.expect_call("Bash")),
        "Bash was to be called, and was not; the calls: none"
    );
    let options = AgentOptions::builder().allowed_tools(["Bash"]).build().unwrap();
    query_with(cli, "go", options).await.unwrap().finish().await.unwrap();
    seen.expect_no_call("Write");
    let calls = "; the calls:\n  Bash {\"command\":\"ls\"}\n    result: 3 files\n  Bash {}\n    \
                 result: 3 files";
    assert_eq!(said(|| seen.expect_call("Bash")), format!("Bash was to be called once{calls}"));
    let no_call = said(|| seen.expect_no_call("Bash"));
    assert_eq!(no_call, format!("Bash was not to be called{calls}"));
    assert_eq!(
        said(|| seen.expect_all_played()),
        "the script goes on after the prompts [\"go\"], by 1 turn(s)"
    );
}

#[tokio::test]
async fn a_call_that_was_interrupted_is_a_call() {
    let cli = ScriptedCli::new().turn(|turn| turn.call("mcp__calc__wait", json!({})));
    let seen = cli.seen();
    let mut client = AgentClient::connect_with(cli, allowed().build().unwrap()).await.unwrap();
    client.query("Go.").await.unwrap();
    while !seen.transcript().contains("tools/call wait") {
        tokio::task::yield_now().await;
    }
    client.interrupt().await.unwrap();
    response(&mut client).await;
    client.close().await;
    let call = seen.expect_call("mcp__calc__wait");
    assert!(call.is_error && call.input == Some(json!({})), "{call:?}");
    assert!(said(|| seen.expect_no_call("mcp__calc__wait")).contains("was not to be called"));
}

#[tokio::test]
async fn a_call_without_a_result_is_a_call() {
    let write = || ScriptedCli::new().turn(|turn| turn.call("mcp__calc__write", json!({})));
    let crash = ScriptedCli::new()
        .turn(|turn| turn.call("Agent", json!({"description": "Look", "prompt": "Look."})))
        .agent(|turn| turn.exit(3, "oom"));
    let deferred =
        allowed().hook(HookMatcher::pre_tool_use("*"), async |_, _| HookOutput::default().defer());
    for (cli, options, tool) in [
        (write(), deferred, "mcp__calc__write"),
        (write(), allowed().max_budget_usd(0.000_001), "mcp__calc__write"),
        (crash, allowed().allowed_tools(["Agent"]), "Agent"),
    ] {
        let seen = cli.seen();
        let _ = query_with(cli, "go", options.build().unwrap()).await.unwrap().finish().await;
        assert_eq!(
            said(|| seen.expect_no_call(tool)),
            format!("{tool} was not to be called, and was, without a result; the calls: none")
        );
        seen.expect_no_call("Bash");
    }
}

#[tokio::test]
async fn all_turns_are_played_though_the_last_one_crashes() {
    let crashes = || ScriptedCli::new().turn(|turn| turn.exit(3, "oom"));
    for (cli, left) in [
        (crashes(), None),
        (crashes().turn(|turn| turn.say("again")), Some(1)),
        (ScriptedCli::new().turn(|turn| turn.say("Hm.")).agent(|turn| turn.say("Hm.")), Some(1)),
    ] {
        let seen = cli.seen();
        let _ = query_with(cli, "go", AgentOptions::default()).await.unwrap().finish().await;
        match left {
            None => seen.expect_all_played(),
            Some(left) => assert_eq!(
                said(|| seen.expect_all_played()),
                format!("the script goes on after the prompts [\"go\"], by {left} turn(s)")
            ),
        }
    }
}
