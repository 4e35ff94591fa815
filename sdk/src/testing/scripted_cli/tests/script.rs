//! What a script can say, beyond what the tests with the real CLI compare.

use std::os::unix::process::ExitStatusExt;

use serde_json::json;

use super::{allowed, play, response, result};
use crate::agent::{AgentClient, RunError, query_with};
use crate::testing::{Gate, Reply, ScriptedCli};

#[tokio::test]
async fn a_rule_takes_no_turn_of_the_script() {
    let cli = ScriptedCli::new()
        .when("weather", |t| t.say("It rains."))
        .turn(|t| t.say("One."))
        .turn(|t| t.say("Two."));
    let seen = cli.seen();
    let mut client = AgentClient::connect_with(cli, allowed().build().unwrap()).await.unwrap();
    let prompts = ["First", "The weather?", "Second", "And the weather now?"];
    for (prompt, text) in prompts.into_iter().zip(["One.", "It rains.", "Two.", "It rains."]) {
        client.query(prompt).await.unwrap();
        assert_eq!(result(&response(&mut client).await).text(), text);
    }
    assert_eq!(seen.unplayed_turns(), Some(0));
    client.close().await;
}

#[tokio::test]
async fn the_cli_can_die_in_the_middle_of_a_turn() {
    for (code, signal) in [(Some(3), None), (None, Some(9))] {
        let cli = ScriptedCli::new().turn(|t| {
            let t = t.call("mcp__calc__list", json!({})).say("Well,");
            if signal.is_some() { t.kill(9) } else { t.exit(3, "out of memory") }
        });
        let run = query_with(cli, "Go.", allowed().build().unwrap()).await.unwrap();
        let handle = run.handle();
        let error = run.finish().await.unwrap_err();
        assert!(matches!(error, RunError::Process(_)), "{error:?}");
        let status = handle.exit().unwrap().status.unwrap();
        assert_eq!((status.code(), status.signal()), (code, signal));
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_waits_for_a_gate_and_for_a_time() {
    let gate = Gate::new();
    let cli = ScriptedCli::new()
        .turn(|t| t.hold(&gate).wait(std::time::Duration::from_secs(3600)).say("At last."));
    let opened = async {
        gate.reached().await;
        gate.open();
    };
    let options = allowed().build().unwrap();
    let run = query_with(cli, "Go.", options).await.unwrap();
    let (result, ()) = tokio::join!(run.finish(), opened);
    assert_eq!(result.unwrap().text(), "At last.");
}

#[tokio::test]
async fn a_subagent_calls_tools_and_reports() {
    let task = json!({"description": "Add", "prompt": "Add.", "subagent_type": "scout"});
    let cli = ScriptedCli::new()
        .turn(|t| t.call("Agent", task).say_result())
        .agent(|t| t.say("I add.").call("mcp__calc__add", json!({"a": 2, "b": 40})).say_result());
    let (seen, result) = play(cli, allowed().allowed_tools(["mcp__calc__*", "Agent"])).await;
    assert_eq!((result.text().as_ref(), result.num_turns), ("42", 2));
    let names: Vec<_> = seen.calls().into_iter().map(|call| call.name).collect();
    assert_eq!(names, ["mcp__calc__add", "Agent"]);
    let of_agent = seen.said().into_iter().filter(|line| line["agent_id"].is_string());
    // The prompt, the call, its result; not the words before the call, and not the report.
    assert_eq!(of_agent.count(), 3);
}

#[tokio::test]
async fn the_api_is_asked_again_as_long_as_the_script_goes_on() {
    let overloaded = Reply::error(529, "overloaded_error", "Overloaded");
    let invalid = Reply::error(400, "invalid_request_error", "too long");
    let cli = ScriptedCli::new()
        .turn(|t| t.reply(overloaded.clone()).reply(overloaded).reply(invalid).say("never said"));
    let (seen, result) = play(cli, allowed()).await;
    assert_eq!(
        (result.text().as_ref(), result.api_error_status),
        ("API Error: 400 too long", Some(400))
    );
    let tries = seen.said().into_iter().filter(|line| line["subtype"] == "api_retry");
    assert_eq!(tries.map(|line| line["attempt"].clone()).collect::<Vec<_>>(), [1, 2]);
}
