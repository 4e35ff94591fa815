//! A run of the real CLI that was recorded, and played again in memory.

use std::fs;

use serde_json::json;
use toolwright::agent::transport::{Process, Transport};
use toolwright::agent::{AgentClient, AgentOptionsBuilder, UserPrompt};
use toolwright::testing::{Recording, Reply, ScriptedCli};

use super::calc;
use super::scene::{Scene, turn, within};

const PROMPTS: [&str; 2] =
    ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];
const KEY: &str = "a-key-that-nobody-may-see";
const TOKEN: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn a_recorded_run_says_the_same_when_it_is_played_again() {
    let Some(scene) = Scene::open().await else { return };
    let secret = format!("Authorization: Bearer {TOKEN}");
    let call = Reply::new().text("I do.").call("mcp__calc__forget", json!({"what": secret}));
    scene.model.reply(call).say("Forgotten.");
    scene.model.reply(Reply::error(400, "invalid_request_error", "no")).say("Two.");
    let options = || {
        let options = scene.options().mcp_server(calc::registry()).env("ANTHROPIC_API_KEY", KEY);
        options.allowed_tools(["mcp__calc__*"]).include_partial_messages(true)
    };
    let path = scene.temporary().join("run.jsonl");
    let real = Recording::new(Process::new().cli_path(scene.cli()), &path);
    let recorded = hear(real, options()).await;
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[redacted]") && !text.contains(TOKEN) && !text.contains(KEY), "{text}");

    let cli = ScriptedCli::replay(&path).unwrap();
    let seen = cli.seen();
    let replayed = hear(cli, options()).await;
    assert_eq!(seen.difference(), None);
    let without_secrets = recorded.replace(&format!("Bearer {TOKEN}"), "[redacted]");
    assert_eq!(without_secrets, replayed);
}

/// What the CLI says to two prompts.
async fn hear(cli: impl Transport + 'static, options: AgentOptionsBuilder) -> String {
    let options = options.build().unwrap();
    let mut client = within(AgentClient::connect_with(cli, options)).await.unwrap();
    let mut said = String::new();
    for uuid in PROMPTS {
        client.query(UserPrompt::text("Go on.").uuid(uuid)).await.unwrap();
        for message in turn(&mut client).await.messages() {
            said += &format!("{}\n", serde_json::to_value(message).unwrap());
        }
    }
    within(client.close()).await;
    said
}
