//! Each method of a client that asks the CLI.

use std::path::PathBuf;
use std::time::SystemTime;

use serde_json::json;

use super::{add, allowed};
use crate::agent::options::McpServer;
use crate::agent::requests::{McpCall, ReloadPlugins, SettingsTarget};
use crate::agent::{AgentClient, AgentOptions, ControlError, PermissionMode};
use crate::testing::{Gate, Reply, ScriptedCli};
use crate::{ToolRegistry, tools};

async fn connect() -> AgentClient {
    let cli = ScriptedCli::new().turn(|t| t.say("Hello."));
    let client = AgentClient::connect_with(cli, allowed().build().unwrap()).await.unwrap();
    client.ask("Good morning.").await.unwrap().finish().await.unwrap();
    client
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, ControlError>) -> String {
    match answer.unwrap_err() {
        ControlError::Refused { message, .. } => message,
        error => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn questions_about_the_session_are_answered() {
    let client = connect().await;
    assert_eq!(client.get_usage(false).await.unwrap().session.total_cost_usd, 0.000_24);
    assert!(client.get_session_cost().await.unwrap().contains("scripted: 10 input, 10 output"));
    assert_eq!(client.estimate_context_usage().await.unwrap().total_tokens, 20);
    assert_eq!(client.get_settings().await.unwrap().applied.model, "scripted");
    assert!(client.get_hooks_listing().await.unwrap().hooks.is_empty());
    let rules = client.list_permission_rules().await.unwrap().rules;
    assert_eq!((rules[0].rule.as_str(), rules[0].behavior.as_str()), ("mcp__calc__*", "allow"));
    assert_eq!(client.list_models().await.unwrap()[0].resolved_model.as_deref(), Some("scripted"));
    let reloaded = client.reload_plugins(ReloadPlugins::default()).await.unwrap();
    assert_eq!((reloaded.mcp_servers.len(), reloaded.error_count), (1, 0));
    assert!(client.reload_skills().await.unwrap().is_empty());
    assert_eq!(client.reload_output_styles().await.unwrap(), ["default"]);
    assert_eq!(client.generate_session_title("sums", false).await.unwrap(), None);
    assert_eq!(client.ask_side_question("Why?").await.unwrap().response, None);
    let conversation = client.export_conversation().await.unwrap().text;
    assert_eq!(conversation, "\n❯ Good morning.\n\n● Hello.");
    assert!(!client.get_plan().await.unwrap().exists);
    assert_eq!(client.get_binary_version().await.unwrap().version, "2.1.328");
    client.rename_session("Greetings").await.unwrap();
    let status = client.get_status().await.unwrap();
    assert!(status.sections[0].rows.iter().any(|row| row.value == "Greetings"), "{status:?}");
    client.close().await;
}

#[tokio::test]
async fn requests_about_files_tasks_and_settings_are_answered() {
    let client = connect().await;
    client.seed_read_state("/a", SystemTime::now()).await.unwrap();
    assert!(client.file_suggestions("a").await.unwrap().suggestions.is_empty());
    assert_eq!(refusal(client.read_file("a.txt").await), "read denied: a.txt");
    client.stop_task("none").await.unwrap();
    assert!(!client.background_tasks(Some("none")).await.unwrap());
    assert!(client.background_tasks(None).await.unwrap());
    assert!(refusal(client.get_task_output("none").await).contains("no shell"));
    client.set_max_thinking_tokens(Some(1000), None).await.unwrap();
    client.apply_flag_settings(json!({"model": "opus", "effortLevel": null})).await.unwrap();
    let settings = client.get_settings().await.unwrap();
    assert_eq!((settings.applied.model.as_str(), settings.sources.len()), ("opus", 1));
    let update = client.update_settings(SettingsTarget::Local, json!({"model": "opus"})).await;
    update.unwrap();
    let folder: PathBuf = std::env::temp_dir().canonicalize().unwrap();
    assert!(refusal(client.set_cwd(&folder, false).await).contains("needs_trust"));
    client.set_cwd(&folder, true).await.unwrap();
    assert!(refusal(client.set_cwd("/nowhere", true).await).contains("/nowhere"));
    client.register_repo_root(&folder).await.unwrap();
    assert!(client.interrupt_all().await.unwrap().cancelled.is_empty());
    assert!(!client.cancel_async_message("none").await.unwrap());
    client.close().await;
}

#[tokio::test]
async fn requests_about_servers_are_answered() {
    let cli = ScriptedCli::new()
        .turn(|t| t.call("mcp__late__add", json!({"a": 2, "b": 40})).say_result());
    let options = AgentOptions::builder().allowed_tools(["mcp__late__*"]).build().unwrap();
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    let late = ToolRegistry::builder("late").tools(tools![add]).build().unwrap();
    let servers = [McpServer::in_process(&late), McpServer::stdio("files", "server")];
    let set = client.set_mcp_servers(servers).await.unwrap();
    assert_eq!((set.added, set.errors.len()), (vec!["late".to_owned()], 1));
    let statuses = client.mcp_status().await.unwrap();
    let statuses: Vec<_> = statuses.iter().map(|server| server.status.as_str()).collect();
    assert_eq!(statuses, ["connected", "failed"]);
    let result = client.ask("What is 2 + 40?").await.unwrap().finish().await.unwrap();
    assert_eq!(result.text(), "42");
    let call = client.mcp_call(McpCall::new("mcp__late__add", json!({}))).await;
    assert!(refusal(call).contains("invoke late directly"));
    assert!(refusal(client.mcp_read_resource("late", "ui://a").await).contains("SDK MCP servers"));
    assert!(refusal(client.reconnect_mcp_server("none").await).contains("not found"));
    let auto = Some(PermissionMode::Auto);
    assert_eq!(client.set_mcp_permission_mode_override("late", auto).await.unwrap(), None);
    client.toggle_mcp_server("late", false).await.unwrap();
    assert_eq!(client.mcp_status().await.unwrap()[0].status, "disabled");
    client.toggle_mcp_server("late", true).await.unwrap();
    assert_eq!(client.mcp_status().await.unwrap()[0].status, "connected");
    let gone = client.set_mcp_servers(Vec::<McpServer>::new()).await.unwrap();
    assert_eq!(gone.removed, ["late", "files"]);
    client.close().await;
}

#[tokio::test]
async fn a_server_that_is_off_has_no_tools_although_they_change() {
    let cli = ScriptedCli::new().turn(|t| t.say("Hello."));
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build().unwrap();
    let options = AgentOptions::builder().mcp_server(registry.clone()).build().unwrap();
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    client.toggle_mcp_server("calc", false).await.unwrap();
    registry.set_tools(tools![add]).unwrap();
    // A turn begins once all changes are known.
    client.ask("Good morning.").await.unwrap().finish().await.unwrap();
    let status = &client.mcp_status().await.unwrap()[0];
    assert_eq!((status.status.as_str(), status.tools.len()), ("disabled", 0));
    client.close().await;
}

#[tokio::test]
async fn an_answer_is_of_the_model_that_was_asked() {
    let [first, second] = [Gate::new(), Gate::new()];
    let cli = ScriptedCli::new()
        .turn(|t| t.hold(&first).say("One."))
        .turn(|t| t.say("Two.").hold(&second).reply(Reply::new().text("Three.")));
    let client = AgentClient::connect_with(cli, allowed().build().unwrap()).await.unwrap();
    for (gate, next, expected) in
        [(first, "opus", vec!["scripted"]), (second, "sonnet", vec!["opus", "scripted", "sonnet"])]
    {
        let turn = client.ask("Count.").await.unwrap();
        gate.reached().await;
        client.set_model(Some(next)).await.unwrap();
        gate.open();
        let usage = turn.finish().await.unwrap().model_usage;
        assert_eq!(usage.keys().collect::<Vec<_>>(), expected);
    }
    client.close().await;
}
