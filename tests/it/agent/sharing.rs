//! Several runs, several servers.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::Barrier;
use toolwright::agent::options::McpServer;
use toolwright::agent::{AgentClient, query};
use toolwright::testing::Reply;
use toolwright::{Context, Value};

use super::calc;
use super::scene::{Scene, say, within};

#[tokio::test]
async fn two_runs_share_a_registry() {
    let Some(one) = Scene::open().await else { return };
    let Some(other) = Scene::open().await else { return };
    let both = Arc::new(Barrier::new(2));
    let meet = calc::reader("meet", move |who: Value, _: Context| {
        let both = both.clone();
        async move {
            both.wait().await;
            format!("{who} has met")
        }
    });
    let registry = calc::with([meet]);
    let run = async |scene: &Scene, who: &str| {
        scene.model.call("mcp__calc__meet", json!({"who": who})).say(format!("{who} is done."));
        let options =
            scene.options().mcp_server(registry.clone()).allow_registry(&registry).build().unwrap();
        let result = within(query("Meet.", options).await.unwrap().finish()).await.unwrap();
        assert_eq!(result.text(), format!("{who} is done."));
        assert_eq!(scene.results()[0].text, format!("{} has met", json!({"who": who})));
    };
    tokio::join!(run(&one, "Ann"), run(&other, "Bob"));
}

#[tokio::test]
async fn a_program_serves_beside_this_one() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene
        .options()
        .mcp_server(calc::registry())
        .mcp_server(McpServer::stdio("fixture", env!("CARGO_BIN_EXE_fixture")))
        .allowed_tools(["mcp__calc__*", "mcp__fixture__*"])
        .build()
        .unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    let calls = Reply::new()
        .call("mcp__calc__add", json!({"a": 2, "b": 40}))
        .call("mcp__fixture__add", json!({"a": 20, "b": 3}));
    scene.model.reply(calls).say("Done.");
    let heard = say(&mut client, "Add here and there.").await;
    assert_eq!(heard.result().text(), "Done.");
    // The calls of one answer run at the same time, and the first to end is the first told.
    let mut texts: Vec<_> = scene.results().into_iter().map(|result| result.text).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["23", "42"]);

    let servers = client.mcp_status().await.unwrap();
    let mut seen: Vec<_> =
        servers.iter().map(|server| (server.name.as_str(), server.status.as_str())).collect();
    seen.sort_unstable();
    assert_eq!(seen, [("calc", "connected"), ("fixture", "connected")]);
    within(client.close()).await;
}
