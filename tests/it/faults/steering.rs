//! Callbacks that steer the run that they are called by.

use serde_json::json;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{
    AgentClient, HookContext, HookOutput, Permission, PermissionMode, PermissionRequest,
};
use toolwright::{Context, Tool, ToolRegistry, Value};

use super::fake::Fake;
use super::{Heard, call, can_use_tool, hook, result, within};

/// A tool that interrupts the turn that it is called in.
fn stop() -> Tool {
    Tool::new("stop", "Stops.", json!({"type": "object"}), async |_: Value, cx: Context| {
        let receipt = cx.agent().unwrap().interrupt().await.unwrap();
        format!("{} are still queued", receipt.still_queued.len())
    })
}

#[tokio::test]
async fn a_tool_may_interrupt_its_own_turn() {
    let fake = Fake::initialized()
        .then("user")
        .ask("c", call("calc", 1, "stop", json!({})))
        .with("control", "interrupt")
        .with("reply", json!({"still_queued": ["a", "b"]}))
        .with("answers", json!(["c"]))
        .then("report")
        .say(result());
    let registry = ToolRegistry::builder("calc").tool(stop()).build().unwrap();
    let mut client =
        within(AgentClient::connect(fake.options().mcp_server(registry).build().unwrap()))
            .await
            .unwrap();
    client.query("Go.").await.unwrap();
    let report = Heard::of_turn(&mut client).await.report();
    assert_eq!(
        report.answer("c")["response"]["mcp_response"]["result"]["content"][0]["text"],
        "2 are still queued"
    );
    within(client.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn a_tool_that_its_own_interrupt_cancels_is_dropped() {
    let fake = Fake::initialized()
        .then("user")
        .ask("c", call("calc", 1, "stop", json!({})))
        .with("control", "interrupt")
        .say(json!({"type": "control_cancel_request", "request_id": "c"}))
        .with("hears", "control_cancel_request")
        .then("report")
        .say(result());
    let registry = ToolRegistry::builder("calc").tool(stop()).build().unwrap();
    let mut client =
        within(AgentClient::connect(fake.options().mcp_server(registry).build().unwrap()))
            .await
            .unwrap();
    client.query("Go.").await.unwrap();
    let report = Heard::of_turn(&mut client).await.report();
    assert_eq!(report.answers("c").len(), 0);
    assert_eq!(
        report.of_type("control_cancel_request").len(),
        1,
        "with the tool its own request is dropped"
    );
    within(client.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn hooks_and_permissions_may_steer_the_run() {
    let fake = Fake::initialized()
        .then("user")
        .ask("h", hook(0))
        .ask("p", can_use_tool("Bash", json!({})))
        .with("control", "set_permission_mode")
        .with("reply", json!({"mode": "plan"}))
        .with("control", "interrupt")
        .with("reply", json!({}))
        .with("answers", json!(["h", "p"]))
        .then("report")
        .say(result());
    let options = fake
        .options()
        .hook(HookMatcher::pre_tool_use("*"), async |_, cx: HookContext| {
            cx.agent().unwrap().set_permission_mode(PermissionMode::Plan).await.unwrap();
            HookOutput::default()
        })
        .can_use_tool(async |request: PermissionRequest| {
            request.agent().unwrap().interrupt().await.unwrap();
            Permission::deny("no").and_interrupt()
        });
    let mut client = within(AgentClient::connect(options.build().unwrap())).await.unwrap();
    client.query("Go.").await.unwrap();
    let report = Heard::of_turn(&mut client).await.report();
    assert_eq!(report.answer("h")["subtype"], "success");
    assert_eq!(
        report.answer("p")["response"],
        json!({"behavior": "deny", "message": "no", "interrupt": true})
    );
    within(client.close()).await;
    fake.is_gone().await;
}
