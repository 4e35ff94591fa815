//! Requests of the SDK's.

use expect_test::expect;
use serde_json::json;

use super::{allowed, response, result};
use crate::agent::{AgentClient, AgentOptions, ControlError, Message, PermissionMode};
use crate::testing::ScriptedCli;

async fn connect(cli: ScriptedCli) -> AgentClient {
    AgentClient::connect_with(cli, allowed().build().unwrap()).await.unwrap()
}

#[tokio::test]
async fn requests_are_answered() {
    let cli = ScriptedCli::new().turn(|t| t.say("Hello."));
    let seen = cli.seen();
    let mut client = connect(cli).await;
    assert_eq!(client.server_info().claude_code_version.as_deref(), Some("2.1.328"));
    client.query("one").await.unwrap();
    response(&mut client).await;
    client.set_model(Some("opus")).await.unwrap();
    let mode = client.set_permission_mode(PermissionMode::Plan).await.unwrap();
    assert_eq!(mode, PermissionMode::Plan);
    let servers = client.mcp_status().await.unwrap();
    assert_eq!((servers[0].name.as_str(), servers[0].status.as_str()), ("calc", "connected"));
    assert_eq!(client.get_context_usage().await.unwrap().total_tokens, 20);
    assert!(client.interrupt().await.unwrap().still_queued.is_empty());
    assert!(!client.rewind_files("x", true).await.unwrap().can_rewind);
    let refused = client.rewind_files("x", false).await.unwrap_err();
    assert_eq!(refused.to_string(), "the CLI refused: File rewinding is not enabled.");
    let refused = client.handle().request("bogus", json!({})).await.unwrap_err();
    let ControlError::Refused { message, code } = refused else { panic!("{refused}") };
    assert_eq!(
        (message.as_str(), code.as_deref()),
        ("Unsupported control request subtype: bogus", Some("unsupported_request"))
    );
    assert!(client.set_permission_mode(PermissionMode::BypassPermissions).await.is_err());
    client.close().await;
    let transcript = seen.transcript();
    let controls = transcript.split_once("state idle\n").unwrap().1;
    expect![[r#"
        SDK set_model model="opus"
        CLI user: <local-command-stdout>Set model to `opus`</local-command-stdout>
        CLI   answers set_model: {"model":"opus"}
        SDK set_permission_mode mode="plan"
        CLI   answers set_permission_mode: {"mode":"plan"}
        CLI system/status
        SDK mcp_status
        CLI   answers mcp_status
        SDK get_context_usage
        CLI   answers get_context_usage
        SDK interrupt
        CLI   answers interrupt: {"still_queued":[]}
        SDK rewind_files user_message_id="x" dry_run=true
        CLI   answers rewind_files: {"canRewind":false,"error":"File rewinding is not enabled."}
        SDK rewind_files user_message_id="x" dry_run=false
        CLI   refuses rewind_files: File rewinding is not enabled.
        SDK bogus
        CLI   refuses bogus: Unsupported control request subtype: bogus
        SDK set_permission_mode mode="bypassPermissions"
        CLI   refuses set_permission_mode: Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions
    "#]].assert_eq(controls);
}

#[tokio::test]
async fn the_script_answers_requests() {
    let cli = ScriptedCli::new()
        .answer("rewind_files", json!({"canRewind": true}))
        .refuse("rewind_files", "No checkpoint")
        .answer("set_model", json!({"model": "opus"}))
        .refuse("interrupt", "never")
        .answer("bogus", json!(42));
    let client = connect(cli).await;
    assert!(client.rewind_files("x", true).await.unwrap().can_rewind);
    for _ in 0..2 {
        let refused = client.rewind_files("x", true).await.unwrap_err();
        assert!(refused.to_string().contains("No checkpoint"), "{refused}");
        assert_eq!(client.handle().request("bogus", json!({})).await.unwrap().get(), "42");
    }
    client.set_model(Some("opus")).await.unwrap();
    assert!(client.interrupt().await.unwrap().still_queued.is_empty());
    client.close().await;
}

#[tokio::test]
async fn an_interrupt_during_a_call_cancels_it_and_the_next_turn_is_normal() {
    let cli = ScriptedCli::new()
        .turn(|t| t.call("mcp__calc__wait", json!({})).say("never said"))
        .turn(|t| t.say("Hello."));
    let seen = cli.seen();
    let mut client = connect(cli).await;
    client.query("one").await.unwrap();
    let handle = client.handle();
    let mut last = None;
    while let Some(message) = client.next_response().await {
        match message.unwrap() {
            Message::Assistant(message) if message.tool_uses().count() > 0 => {
                while !seen.transcript().contains("tools/call") {
                    tokio::task::yield_now().await;
                }
                handle.interrupt().await.unwrap();
            }
            Message::Result(result) => last = Some(result),
            _ => {}
        }
    }
    let last = last.unwrap();
    assert_eq!((last.subtype.as_str(), last.num_turns), ("error_during_execution", 3));
    let transcript = seen.transcript();
    let from_call = &transcript[transcript.find("CLI calc: tools/call").unwrap()..];
    expect![[r#"
        CLI calc: tools/call wait {}
        SDK interrupt
        CLI calc: notifications/cancelled {"requestId":2,"reason":"AbortError: remote-cancel"}
        CLI   answers interrupt: {"still_queued":[]}
        CLI user: error "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed. Correction to the text above: this call was stopped while running, not refused before it ran. It may have run in part or in full, and its changes may have been written. No permission prompt was involved. Work it started elsewhere (a remote command, a background process) may still be running, so check before starting the same work again. The instruction to stop and wait still stands."
        CLI user: [Request interrupted by user for tool use]
        CLI result error_during_execution, 3 turns: [ede_diagnostic] result_type=user last_content_type=n/a stop_reason=tool_use
        CLI state idle
        SDK   answers calc: notifications/cancelled
    "#]].assert_eq(from_call);
    client.query("two").await.unwrap();
    assert_eq!(result(&response(&mut client).await).text(), "Hello.");
    // The last result counts for the exit status.
    assert!(client.close().await.status.unwrap().success());
}

#[tokio::test]
async fn an_interrupt_while_the_model_speaks_leaves_the_queue() {
    let cli = ScriptedCli::new()
        .turn(|t| t.say("On and on.").until_interrupted())
        .turn(|t| t.say("Two."));
    let mut client =
        AgentClient::connect_with(cli, AgentOptions::builder().build().unwrap()).await.unwrap();
    client.query("one").await.unwrap();
    assert!(client.next_response().await.is_some());
    client.query("two").await.unwrap();
    tokio::task::yield_now().await;
    let receipt = client.interrupt().await.unwrap();
    assert_eq!(receipt.still_queued.len(), 1);
    let first = response(&mut client).await;
    assert_eq!(result(&first).terminal_reason.as_deref(), Some("aborted_streaming"));
    assert_eq!(result(&response(&mut client).await).text(), "Two.");
}
