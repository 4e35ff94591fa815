//! Subagents.

use serde_json::{Value, json};

use super::{allowed, play, response, result};
use crate::agent::{AgentClient, AgentOptionsBuilder, RunError, query_with};
use crate::testing::{Recorder, ScriptedCli, Turn};

fn start(turn: Turn) -> Turn {
    turn.call("Agent", json!({"description": "Look", "prompt": "Look."}))
}

fn options() -> AgentOptionsBuilder {
    allowed().allowed_tools(["mcp__calc__*", "Agent"])
}

/// The messages with this member.
fn with(seen: &Recorder, member: &str) -> Vec<Value> {
    seen.said().into_iter().filter(|line| line[member].is_string()).collect()
}

/// Interrupts a turn with a subagent once the transcript has this text.
async fn interrupt(agent: impl FnOnce(Turn) -> Turn, when: &str) {
    let cli = ScriptedCli::new().turn(start).agent(agent);
    let seen = cli.seen();
    let mut client = AgentClient::connect_with(cli, options().build().unwrap()).await.unwrap();
    client.query("Go.").await.unwrap();
    while !seen.transcript().contains(when) {
        tokio::task::yield_now().await;
    }
    client.interrupt().await.unwrap();
    let messages = response(&mut client).await;
    assert_eq!(result(&messages).terminal_reason.as_deref(), Some("aborted_tools"));
    let transcript = seen.transcript();
    assert!(transcript.contains("[Request interrupted by user for tool use]"), "{transcript}");
    // Each call of the main conversation has a result, and no other has one in it.
    let said = seen.said();
    let ids = |kind: &str, id: &str| -> Vec<Value> {
        let own = said.iter().filter(|line| line["parent_tool_use_id"].is_null());
        let blocks = own.filter_map(|line| line["message"]["content"].as_array()).flatten();
        blocks.filter(|block| block["type"] == kind).map(|block| block[id].clone()).collect()
    };
    assert_eq!(ids("tool_use", "id"), ids("tool_result", "tool_use_id"));
    assert_eq!(ids("tool_use", "id").len(), 1);
    client.close().await;
}

#[tokio::test]
async fn an_interrupt_answers_the_call_of_the_main_conversation() {
    interrupt(|t| t.call("mcp__calc__wait", json!({})), "tools/call wait").await;
    let waits = |t: Turn| t.call("mcp__calc__list", json!({})).until_interrupted();
    interrupt(waits, "CLI user: \"{\\\"result\\\":[1,2]}\"").await;
}

#[tokio::test]
async fn a_subagent_goes_on_when_one_of_its_own_has_ended() {
    let cli = ScriptedCli::new()
        .turn(|t| start(t).say_result())
        .agent(|t| start(t).call("mcp__calc__add", json!({"a": 2, "b": 40})).say("Outer."))
        .agent(|t| t.say("Inner."));
    let (seen, result) = play(cli, options()).await;
    assert_eq!(result.text(), "Outer.");
    let started = with(&seen, "task_id");
    let started: Vec<_> = started.iter().filter(|it| it["subtype"] == "task_started").collect();
    assert_eq!((&started[0]["spawn_depth"], &started[1]["spawn_depth"]), (&json!(1), &json!(2)));
    assert_eq!(started[1]["parent_task_id"], started[0]["task_id"]);
    let add = |line: &&Value| line["message"]["content"][0]["name"] == "mcp__calc__add";
    let said = seen.said();
    assert_eq!(said.iter().find(add).unwrap()["agent_id"], started[0]["task_id"]);
    // What the inner one says is for the outer one.
    assert!(said.iter().all(|line| line["agent_id"] != started[1]["task_id"]), "{said:?}");
}

#[tokio::test]
async fn a_report_is_what_the_subagent_has_said() {
    let cli = ScriptedCli::new()
        .turn(|t| start(t.say("Mine.").call("mcp__calc__add", json!({"a": 2, "b": 40}))))
        .agent(|t| t.think("Hm."))
        .turn(start)
        .agent(|t| t.say_result());
    let options = options().build().unwrap();
    let seen = cli.seen();
    let mut client = AgentClient::connect_with(cli, options).await.unwrap();
    for _ in 0..2 {
        client.query("Go.").await.unwrap();
        response(&mut client).await;
    }
    client.close().await;
    // Without a report the notification has the description.
    let reports: Vec<_> = with(&seen, "summary").iter().map(|it| it["summary"].clone()).collect();
    assert_eq!(reports, ["Look", "No tool was called."]);
}

#[tokio::test]
async fn a_cli_may_exit_in_a_subagent() {
    let cli = ScriptedCli::new().turn(|t| start(t).say("never said")).agent(|t| t.exit(3, "oom"));
    let run = query_with(cli, "Go.", options().build().unwrap()).await.unwrap();
    let error = run.finish().await.unwrap_err();
    assert!(matches!(error, RunError::Process(_)), "{error}");
    assert!(error.to_string().contains("oom"), "{error}");
}

#[tokio::test]
async fn turns_of_the_main_conversation_do_not_limit_a_subagent() {
    let list = |t: Turn| t.call("mcp__calc__list", json!({}));
    let cli =
        ScriptedCli::new().turn(|t| start(t).say("never said")).agent(|t| list(list(t)).say("2."));
    let (seen, result) = play(cli, options().max_turns(1)).await;
    assert_eq!(result.subtype, "error_max_turns");
    assert_eq!(seen.expect_call("Agent").text, "2.");
}
