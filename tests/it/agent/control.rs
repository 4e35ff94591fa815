//! Control requests.

use serde_json::{Value, json};
use toolwright::Context;
use toolwright::agent::message::SystemMessage;
use toolwright::agent::{AgentClient, ControlError, PermissionMode};
use toolwright::testing::{Gate, Reply};

use super::calc;
use super::scene::{Scene, say, turn, within};

#[tokio::test]
async fn the_next_request_goes_to_the_new_model() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("One.").say("Two.").say("Three.");
    let mut client =
        AgentClient::connect(scene.options().model("opus").build().unwrap()).await.unwrap();
    say(&mut client, "First").await;
    client.set_model(Some("sonnet")).await.unwrap();
    say(&mut client, "Second").await;
    client.set_model(None).await.unwrap();
    say(&mut client, "Third").await;
    let models: Vec<_> = scene
        .model
        .requests()
        .iter()
        .map(|request| request.body()["model"].as_str().unwrap().to_owned())
        .collect();
    assert!(models[0].contains("opus") && models[1].contains("sonnet"), "{models:?}");
    assert_ne!(models[2], models[1]);
    within(client.close()).await;
}

#[tokio::test]
async fn the_permission_mode_changes() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("A plan.");
    let mut client = AgentClient::connect(scene.options().build().unwrap()).await.unwrap();
    let mode = client.set_permission_mode(PermissionMode::Plan).await.unwrap();
    assert_eq!(mode, PermissionMode::Plan);
    let heard = say(&mut client, "Plan it.").await;
    let told = heard.system().find_map(|message| match message {
        SystemMessage::Status(status) => status.permission_mode.clone(),
        _ => None,
    });
    assert_eq!(told.as_deref(), Some("plan"), "{:?}", heard.kinds());
    let init = heard.system().find_map(|message| match message {
        SystemMessage::Init(init) => Some(init.permission_mode.as_str()),
        _ => None,
    });
    assert_eq!(init, Some("plan"));
    within(client.close()).await;
}

#[tokio::test]
async fn the_cli_tells_of_servers_and_of_the_context() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("Hello.");
    let options = scene.options().mcp_server(calc::registry()).build().unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    say(&mut client, "Hi").await;
    let servers = client.mcp_status().await.unwrap();
    let calc = servers.iter().find(|server| server.name == "calc").unwrap();
    assert_eq!(calc.status, "connected");
    assert_eq!(calc.server_info.as_ref().unwrap().to_value()["name"], "calc");

    let usage = client.get_context_usage().await.unwrap();
    assert!(usage.max_tokens > 0 && usage.model.starts_with("claude-"), "{usage:?}");
    assert!(
        !usage.categories.is_empty() && usage.member("isAutoCompactEnabled").is_some(),
        "{usage:?}"
    );
    within(client.close()).await;
}

#[tokio::test]
async fn an_unknown_request_is_refused() {
    let Some(scene) = Scene::open().await else { return };
    let client = AgentClient::connect(scene.options().build().unwrap()).await.unwrap();
    let error = within(client.handle().request("bogus", json!({"a": 1}))).await.unwrap_err();
    let ControlError::Refused { message, code } = error else { panic!("{error:?}") };
    assert_eq!(
        (message.as_str(), code.as_deref()),
        ("Unsupported control request subtype: bogus", Some("unsupported_request"))
    );
    let settings = within(client.handle().request("get_settings", json!({}))).await.unwrap();
    assert!(settings.get().starts_with('{'));
    within(client.close()).await;
}

#[tokio::test]
async fn an_interrupt_ends_the_turn_and_harms_nothing_when_idle() {
    let Some(scene) = Scene::open().await else { return };
    let mut client = AgentClient::connect(scene.options().build().unwrap()).await.unwrap();
    assert!(within(client.interrupt()).await.unwrap().still_queued.is_empty());

    let gate = Gate::new();
    scene.model.reply(Reply::new().text("Never said.").held_by(&gate)).say("Two.");
    client.query("First").await.unwrap();
    within(gate.reached()).await;
    within(client.interrupt()).await.unwrap();
    // The result of the interrupted turn is not taken for that of the next one, though nobody has
    // read it.
    let heard = say(&mut client, "Second").await;
    assert_eq!((heard.result().text().as_ref(), heard.result().is_error), ("Two.", false));
    within(client.close()).await;
}

#[tokio::test]
async fn a_turn_that_was_interrupted_says_so() {
    let Some(scene) = Scene::open().await else { return };
    let client = AgentClient::connect(scene.options().build().unwrap()).await.unwrap();
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("Never said.").held_by(&gate));
    let turn = client.ask("First").await.unwrap();
    within(gate.reached()).await;
    within(client.interrupt()).await.unwrap();
    let error = within(turn.finish()).await.unwrap_err();
    assert!(error.is_interrupted());
    assert_eq!(error.to_string(), "the turn was interrupted");
    within(client.close()).await;
}

#[tokio::test]
async fn a_tool_can_interrupt_its_own_run() {
    let Some(scene) = Scene::open().await else { return };
    let enough = calc::reader("enough", async |_: Value, cx: Context| {
        cx.agent().unwrap().interrupt().await.unwrap();
    });
    let options = scene
        .options()
        .mcp_server(calc::with([enough]))
        .allowed_tools(["mcp__calc__*"])
        .build()
        .unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    scene.model.call("mcp__calc__enough", json!({}));
    client.query("Enough?").await.unwrap();
    let heard = turn(&mut client).await;
    assert_eq!(heard.result().subtype, "error_during_execution");
    within(client.close()).await;
}
