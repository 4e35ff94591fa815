//! Work that goes on after a result.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use toolwright::agent::hook::{HookContext, PreToolUseInput};
use toolwright::agent::{AgentClient, HookMatcher, HookOutput, Message, query};
use toolwright::testing::{Gate, Reply};

use super::calc;
use super::heard::Heard;
use super::log::Log;
use super::scene::{Scene, all, within};

#[tokio::test]
async fn a_one_shot_run_waits_for_its_agents_and_answers_meanwhile() {
    let Some(scene) = Scene::open().await else { return };
    let told = Log::new();
    let log = told.clone();
    let options = scene
        .options()
        .mcp_server(calc::registry())
        .allowed_tools(["mcp__calc__*", "Agent"])
        .hook(HookMatcher::pre_tool_use("*"), move |input: PreToolUseInput, _: HookContext| {
            log.note((input.tool_name, input.agent_id.is_some()));
            async { HookOutput::default() }
        })
        .build()
        .unwrap();
    let gate = Gate::new();
    let agent = json!({"description": "Find it", "prompt": "Find it.", "subagent_type": "general-purpose", "run_in_background": true});
    scene.model.call("Agent", agent).say("It is being looked for.");
    scene.model.reply_to_agent(
        Reply::new().call("mcp__calc__add", json!({"a": 2, "b": 40})).held_by(&gate),
    );
    scene.model.reply_to_agent(Reply::new().text("It is 42."));
    scene.model.call("mcp__calc__add", json!({"a": 20, "b": 3})).say("Found.");

    let mut run = query("Find it.", options).await.unwrap();
    let mut heard = Heard::default();
    while let Some(message) = within(run.next()).await {
        let message = message.unwrap();
        if matches!(message, Message::Result(_)) && heard.results().is_empty() {
            assert_eq!(told.one(), ("Agent".to_owned(), false));
            gate.open();
        }
        heard.push(message);
    }
    // First the agent called, then the main conversation, which was told of the agent's end.
    let add = "mcp__calc__add".to_owned();
    assert_eq!(told.take(), [(add.clone(), true), (add, false)]);
    let results: Vec<_> = heard.results().iter().map(|result| result.text()).collect();
    assert_eq!(results, ["It is being looked for.", "Found."]);
    assert!(heard.results()[1].is_by_itself() && !heard.results()[0].is_by_itself());
    assert_eq!(scene.results().last().unwrap().text, "23");
    assert!(
        heard.tool_results().iter().any(|result| result.content.text() == "42"),
        "{:?}",
        heard.kinds()
    );
}

#[tokio::test]
async fn several_agents_at_once_and_what_comes_of_them_have_scripts_of_their_own() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().allowed_tools(["Agent"]).build().unwrap();
    let agent = |prompt: &str| json!({"description": prompt, "prompt": prompt, "subagent_type": "general-purpose"});
    let both = Reply::new().call("Agent", agent("the price")).call("Agent", agent("the stock"));
    scene.model.reply(both).say("Both are at it.");
    scene.model.when_agent("the price", Reply::new().text("It is 9."));
    scene.model.when_agent("the stock", Reply::new().text("None."));
    for (report, answer) in [("It is 9.", "The price is known."), ("None.", "Sold out.")] {
        scene.model.when(report, Reply::new().text(answer));
    }
    let heard = all(&mut query("Ask both.", options).await.unwrap()).await;
    let prompts: Vec<_> =
        scene.model.requests().iter().flat_map(|request| request.prompts()).collect();
    for report in ["<result>It is 9.</result>", "<result>None.</result>"] {
        let told = prompts.iter().find(|prompt| prompt.contains(report));
        assert!(told.is_some_and(|it| it.starts_with("<task-notification>")), "{prompts:?}");
    }
    let said = heard.results().iter().map(|result| result.text().into_owned()).collect::<Vec<_>>();
    assert!(said.iter().any(|text| text == "The price is known."), "{said:?}");
}

/// The CLI's input is closed at once, and its own bound is 10 min.
#[tokio::test]
async fn a_run_without_callbacks_waits_for_its_agents_no_longer_than_it_was_told() {
    let Some(scene) = Scene::open().await else { return };
    let gate = Gate::new();
    let agent = json!({"description": "Find it", "prompt": "Find it.", "subagent_type": "general-purpose", "run_in_background": true});
    scene.model.call("Agent", agent).say("It is being looked for.");
    scene.model.reply_to_agent(Reply::new().text("Never.").held_by(&gate));
    let wait = Some(Duration::from_millis(100));
    let options = scene.options().allowed_tools(["Agent"]).background_wait(wait).build().unwrap();
    let run = query("Find it.", options).await.unwrap();
    assert_eq!(within(run.finish()).await.unwrap().text(), "It is being looked for.");
}

#[tokio::test]
async fn a_shell_in_the_background_begins_a_turn_when_it_ends() {
    let Some(scene) = Scene::open().await else { return };
    let pipe = scene.project().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let options = scene
        .options()
        .mcp_server(calc::registry())
        .allowed_tools(["mcp__calc__*", "Bash"])
        .build()
        .unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    let command = json!({"command": "cat pipe", "description": "Waits", "run_in_background": true});
    scene.model.call("Bash", command).say("It runs.");
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It has ended.");

    client.query("Run it.").await.unwrap();
    let mut heard = Heard::default();
    while heard.results().len() < 2 {
        let message = within(client.messages().next()).await.unwrap().unwrap();
        if matches!(message, Message::Result(_)) && heard.results().is_empty() {
            let pipe = pipe.clone();
            tokio::task::spawn_blocking(move || fs::write(pipe, "go on").unwrap());
        }
        heard.push(message);
    }
    let results: Vec<_> = heard.results().iter().map(|result| result.text()).collect();
    assert_eq!(results, ["It runs.", "It has ended."]);
    assert!(heard.results()[1].is_by_itself());
    within(client.close()).await;
}
