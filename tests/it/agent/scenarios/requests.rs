//! Control requests.

use serde_json::{Value, json};
use toolwright::agent::options::{InlineSettings, McpServer};
use toolwright::agent::permission::{
    PermissionBehavior, PermissionRuleValue, PermissionUpdate, PermissionUpdateDestination,
};
use toolwright::agent::{AgentClient, ControlError, Permission, PermissionRequest};
use toolwright::testing::{Gate, Reply};

use super::super::scene::within;
use super::stage::Stage;
use super::tools::{add, done};

/// Asks, and notes the answer.
async fn ask(stage: &Stage, client: &AgentClient, subtype: &str, body: Value) {
    let answer = match within(client.request(subtype, body)).await {
        Ok(answer) => serde_json::from_str::<Value>(answer.get()).unwrap(),
        Err(ControlError::Refused { message, code }) => json!({"refused": message, "code": code}),
        Err(error) => panic!("{subtype}: {error}"),
    };
    stage.asked.note(json!({"type": "answer", "subtype": subtype, "answer": answer}));
}

/// A conversation after its first turn.
async fn begun(stage: &mut Stage) -> AgentClient {
    stage.script([done()]).script([done()]);
    let mut client = stage.open(stage.calc().disallowed_tools(["mcp__calc__forget"])).await;
    stage.say(&mut client, "First").await;
    client
}

async fn asks(stage: &mut Stage, all: impl IntoIterator<Item = (&str, Value)>) {
    let mut client = begun(stage).await;
    for (subtype, body) in all {
        ask(stage, &client, subtype, body).await;
    }
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn requests_about_the_session(stage: &mut Stage) {
    asks(
        stage,
        [
            ("rename_session", json!({"title": "Greetings", "source": "host"})),
            ("rename_session", json!({"title": " ", "source": "host"})),
            ("get_plan", json!({})),
            ("get_binary_version", json!({})),
            ("get_usage", json!({"skip_behaviors": true})),
            ("seed_read_state", json!({"path": "/a", "mtime": 1})),
            ("read_file", json!({"path": "none.txt"})),
            ("file_suggestions", json!({"query": "none"})),
            ("get_settings", json!({})),
            ("get_hooks_listing", json!({})),
            ("register_repo_root", json!({"directory": "/nowhere"})),
            ("set_cwd", json!({"path": "/nowhere"})),
            ("set_cwd", json!({"path": "/"})),
            ("update_settings", json!({"source": "userSettings", "settings": {}})),
            ("export_conversation", json!({})),
        ],
    )
    .await;
}

/// Rules of the options, and those that an answer has added.
pub(super) async fn permission_rules(stage: &mut Stage) {
    stage.script([add(), add(), done()]).script([done()]);
    let settings = InlineSettings::new().ask(["mcp__calc__fails", "Bash(git push:*)"]);
    let options = stage.options().mcp_server(stage.registry()).settings(settings);
    let options = options.allowed_tools(["Bash(ls)"]).disallowed_tools(["mcp__calc__forget"]);
    let options = options.add_dir("/usr").can_use_tool(async |request: PermissionRequest| {
        let deny = [PermissionRuleValue::new("mcp__calc__sum")];
        let deny = PermissionUpdate::add_rules(deny, PermissionBehavior::Deny);
        let deny = deny.destination(PermissionUpdateDestination::Session);
        let folder = PermissionUpdate::add_directories(["/etc"]);
        let folder = folder.destination(PermissionUpdateDestination::Session);
        let updates = request.suggestions.into_iter();
        let updates = updates.map(|it| it.destination(PermissionUpdateDestination::Session));
        Permission::allow().with_updates(updates.chain([deny, folder]))
    });
    let mut client = stage.open(options).await;
    stage.say(&mut client, "First").await;
    let answer = within(client.request("list_permission_rules", json!({}))).await.unwrap();
    let mut answer: Value = serde_json::from_str(answer.get()).unwrap();
    // Of the tools that the options leave out, each has a rule in the real CLI.
    let rules = answer["state"]["rules"].as_array_mut().unwrap();
    rules.retain(|rule| rule["source"] != "toolsNarrowing");
    stage.asked.note(answer);
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn model_without_a_name(stage: &mut Stage) {
    asks(stage, [("set_model", json!({"model": ""})), ("set_model", json!({"model": " "}))]).await;
}

pub(super) async fn requests_about_tasks(stage: &mut Stage) {
    asks(
        stage,
        [
            ("stop_task", json!({"task_id": "none"})),
            ("background_tasks", json!({})),
            ("background_tasks", json!({"tool_use_id": "toolu_none"})),
            ("get_task_output", json!({"task_id": "none"})),
            ("cancel_async_message", json!({"message_uuid": "none"})),
        ],
    )
    .await;
}

pub(super) async fn requests_that_steer(stage: &mut Stage) {
    asks(
        stage,
        [
            ("set_max_thinking_tokens", json!({"max_thinking_tokens": 1000})),
            ("set_max_thinking_tokens", json!({"max_thinking_tokens": null})),
            ("set_permission_mode", json!({"mode": "nonsense"})),
            ("set_permission_mode", json!({})),
            ("set_permission_mode", json!({"mode": "bypassPermissions"})),
            ("set_permission_mode", json!({"mode": "default"})),
            ("set_permission_mode", json!({"mode": "acceptEdits"})),
            ("set_model", json!({"model": "claude-sonnet-5-5"})),
            ("apply_flag_settings", json!({"settings": {"cleanupPeriodDays": 9}})),
            ("apply_flag_settings", json!({"settings": 5})),
            ("apply_flag_settings", json!({"settings": {"model": "claude-opus-5-5"}})),
            ("get_settings", json!({})),
        ],
    )
    .await;
}

pub(super) async fn requests_about_servers(stage: &mut Stage) {
    let tool = "mcp__calc__add";
    asks(
        stage,
        [
            ("mcp_toggle", json!({"serverName": "none", "enabled": true})),
            ("mcp_toggle", json!({"serverName": "calc", "enabled": true})),
            ("mcp_reconnect", json!({"serverName": "none"})),
            ("mcp_reconnect", json!({"serverName": "calc"})),
            ("mcp_call", json!({"tool": tool, "arguments": {}})),
            ("mcp_call", json!({"tool": "mcp__none__add", "arguments": {}})),
            ("mcp_call", json!({"tool": "add", "arguments": {}})),
            ("mcp_read_resource", json!({"serverName": "calc", "uri": "ui://a/b"})),
            ("mcp_read_resource", json!({"serverName": "none", "uri": "ui://a/b"})),
            ("mcp_read_resource", json!({"serverName": "calc", "uri": "file:///a"})),
            ("set_mcp_permission_mode_override", json!({"serverName": "calc", "mode": "auto"})),
            ("set_mcp_permission_mode_override", json!({"serverName": "calc", "mode": "never"})),
            ("set_mcp_permission_mode_override", json!({"serverName": "calc", "mode": null})),
            ("set_mcp_permission_mode_override", json!({"serverName": "none", "mode": "plan"})),
            ("set_mcp_permission_mode_override", json!({"serverName": "none", "mode": null})),
            ("mcp_status", json!({})),
        ],
    )
    .await;
}

pub(super) async fn server_switched_off_and_on(stage: &mut Stage) {
    for _ in 0..3 {
        stage.script([add(), done()]);
    }
    let mut client = stage.open(stage.calc()).await;
    stage.say(&mut client, "First").await;
    within(client.toggle_mcp_server("calc", false)).await.unwrap();
    ask(stage, &client, "mcp_status", json!({})).await;
    stage.say(&mut client, "Second").await;
    within(client.toggle_mcp_server("calc", true)).await.unwrap();
    ask(stage, &client, "mcp_status", json!({})).await;
    stage.say(&mut client, "Third").await;
    stage.close(client).await;
}

pub(super) async fn servers_that_come_and_go(stage: &mut Stage) {
    for _ in 0..3 {
        stage.script([add(), done()]);
    }
    let mut client = stage.open(stage.options().allowed_tools(["mcp__calc__*"])).await;
    stage.say(&mut client, "First").await;
    let set = within(client.set_mcp_servers([stage.registry()])).await.unwrap();
    stage.asked.note(json!({"added": set.added, "removed": set.removed}));
    stage.say(&mut client, "Second").await;
    let set = within(client.set_mcp_servers(Vec::<McpServer>::new())).await.unwrap();
    stage.asked.note(json!({"added": set.added, "removed": set.removed}));
    ask(stage, &client, "mcp_status", json!({})).await;
    stage.say(&mut client, "Third").await;
    stage.close(client).await;
}

pub(super) async fn server_switched_off_in_a_call(stage: &mut Stage) {
    stage.script([Reply::new().call("mcp__calc__endless", json!({})), done()]);
    let mut client = stage.open(stage.calc()).await;
    within(client.query("First")).await.unwrap();
    within(stage.begun.notified()).await;
    within(client.toggle_mcp_server("calc", false)).await.unwrap();
    stage.hear_turn(&mut client).await;
    stage.close(client).await;
}

pub(super) async fn server_that_comes_first(stage: &mut Stage) {
    stage.script([add(), done()]);
    let mut client = stage.open(stage.options().allowed_tools(["mcp__calc__*"])).await;
    within(client.set_mcp_servers([stage.registry()])).await.unwrap();
    stage.say(&mut client, "First").await;
    stage.close(client).await;
}

pub(super) async fn model_set_in_a_turn(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([add().held_by(&gate), done()]).script([Reply::new().text("Two.")]);
    let mut client = stage.open(stage.calc()).await;
    within(client.query("First")).await.unwrap();
    within(gate.reached()).await;
    within(client.set_model(Some("claude-opus-5-5"))).await.unwrap();
    gate.open();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn mode_set_in_a_turn(stage: &mut Stage) {
    let gate = Gate::new();
    let forget = Reply::new().call("mcp__calc__forget", json!({"what": "it"}));
    stage.script([add().held_by(&gate), forget, done()]).script([done()]);
    let mut client = stage
        .open(stage.options().mcp_server(stage.registry()).allowed_tools(["mcp__calc__add"]))
        .await;
    within(client.query("First")).await.unwrap();
    within(gate.reached()).await;
    ask(stage, &client, "set_permission_mode", json!({"mode": "dontAsk"})).await;
    gate.open();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}
