//! Hooks.

use expect_test::expect;
use serde_json::json;

use super::{allowed, asked, play, registry};
use crate::agent::hook::{OnFailure, StopInput, UserPromptSubmitInput};
use crate::agent::{AgentOptions, HookMatcher, HookOutput, Permission, PermissionRequest};
use crate::testing::ScriptedCli;

fn writes() -> ScriptedCli {
    ScriptedCli::new().turn(|t| t.call("mcp__calc__write", json!({"text": "x"})).say_result())
}

#[tokio::test]
async fn all_hooks_of_a_turn_are_called_in_the_order_of_the_real_cli() {
    let silent = |event: &str| HookMatcher::raw(event, None);
    let mut options = AgentOptions::builder()
        .mcp_server(registry())
        .can_use_tool(|_: PermissionRequest| async { Permission::allow() });
    for event in [
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "Stop",
        "SessionStart",
    ] {
        options = options.hook(silent(event), |_, _| async { HookOutput::default() });
    }
    let (seen, _) = play(writes().turn(|t| t), options).await;
    let transcript = seen.transcript();
    let cli: Vec<_> = transcript
        .lines()
        .filter(|line| line.starts_with("CLI") && !line.contains("answers"))
        .collect();
    expect![[r#"
        CLI calc: initialize
        CLI calc: notifications/initialized
        CLI state running
        CLI calc: tools/list
        CLI hook UserPromptSubmit
        CLI system/init ["mcp__calc__add","mcp__calc__draw","mcp__calc__fail","mcp__calc__list","mcp__calc__wait","mcp__calc__write"]
        CLI assistant: mcp__calc__write {"text":"x"}
        CLI hook PreToolUse
        CLI state requires_action
        CLI can_use_tool mcp__calc__write {"text":"x"}
        CLI hook PermissionRequest
        CLI state running
        CLI calc: tools/call write {"text":"x"}
        CLI hook PostToolUse
        CLI user: [{"type":"text","text":"wrote x"}]
        CLI hook PostToolBatch
        CLI assistant: wrote x
        CLI hook Stop
        CLI result success, 2 turns: wrote x
        CLI state idle"#]]
    .assert_eq(&cli.join("\n"));
    let input = &asked(&seen, "hook_callback")[1]["input"];
    assert_eq!(input["hook_event_name"], "PreToolUse");
    assert_eq!(input["mcp_server"], json!({"name": "calc", "source": "sdk"}));
}

#[tokio::test]
async fn a_denial_before_the_call_is_worded_as_by_the_real_cli() {
    for older in [false, true] {
        let options =
            allowed().hook(HookMatcher::pre_tool_use("mcp__calc__.*"), move |_, _| async move {
                if older {
                    HookOutput::default().block("policy says no")
                } else {
                    HookOutput::default().deny("policy says no")
                }
            });
        let (_, result) = play(writes(), options).await;
        assert_eq!(result.text(), "PreToolUse:mcp__calc__write hook error: policy says no");
        assert_eq!(result.permission_denials.len(), 1);
    }
}

#[tokio::test]
async fn a_hook_can_allow_and_change_the_input() {
    let options = AgentOptions::builder()
        .mcp_server(registry())
        .hook(HookMatcher::pre_tool_use("mcp__calc__write"), |_, _| async {
            HookOutput::default().allow().updated_input(json!({"text": "hooked"}))
        });
    let (seen, result) = play(writes(), options).await;
    assert_eq!(result.text(), "wrote hooked");
    assert!(asked(&seen, "can_use_tool").is_empty());
}

#[tokio::test]
async fn a_hook_can_ask_in_spite_of_a_rule() {
    let options = allowed()
        .can_use_tool(|request: PermissionRequest| async move {
            Permission::deny(request.decision_reason.unwrap_or_default())
        })
        .hook(HookMatcher::pre_tool_use("mcp__calc__write"), |_, _| async {
            HookOutput::default().ask("really?")
        });
    let (_, result) = play(writes(), options).await;
    assert_eq!(result.text(), "really?");
}

#[tokio::test]
async fn a_hook_can_put_the_call_off() {
    let options = allowed()
        .hook(HookMatcher::pre_tool_use("*"), |_, _| async { HookOutput::default().defer() });
    let (seen, result) = play(writes(), options).await;
    assert_eq!(result.deferred_tool_use.unwrap().name, "mcp__calc__write");
    assert!(seen.calls().is_empty());
}

#[tokio::test]
async fn a_hook_can_replace_the_output_and_end_the_turn() {
    let options = allowed().hook(HookMatcher::post_tool_use("mcp__calc__write"), |_, _| async {
        HookOutput::default()
            .updated_tool_output("replaced")
            .additional_context("by a hook")
            .stop("enough")
    });
    let (seen, result) = play(writes(), options).await;
    assert_eq!(result.terminal_reason.as_deref(), Some("hook_stopped"));
    assert_eq!(seen.calls()[0].text, "replaced");
    assert_eq!(seen.contexts(), ["by a hook"]);
}

#[tokio::test]
async fn the_output_of_a_built_in_tool_is_replaced_by_an_object_only() {
    for (replacement, expected) in [
        (json!("[secret]"), "hello"),
        (json!(["[secret]"]), "hello"),
        (json!({"stdout": "[secret]"}), r#"{"stdout":"[secret]"}"#),
    ] {
        let cli = ScriptedCli::new().builtin("Bash", "hello");
        let cli = cli.turn(|t| t.call("Bash", json!({"command": "echo hello"})).say_result());
        let options = AgentOptions::builder().allowed_tools(["Bash"]);
        let options = options.hook(HookMatcher::post_tool_use("Bash"), async move |_, _| {
            HookOutput::default().updated_tool_output(replacement)
        });
        let (seen, result) = play(cli, options).await;
        assert_eq!((&*seen.calls()[0].text, &*result.text()), (expected, expected));
    }
}

#[tokio::test]
async fn a_hook_hears_of_failures() {
    let cli = ScriptedCli::new().turn(|t| t.call("mcp__calc__fail", json!({})));
    let (seen, _) = play(
        cli,
        allowed()
            .hook(HookMatcher::post_tool_use_failure("*"), |_, _| async { HookOutput::default() }),
    )
    .await;
    assert_eq!(asked(&seen, "hook_callback")[0]["input"]["error"], "it is broken");
}

#[tokio::test]
async fn a_prompt_gets_context_or_is_blocked() {
    let options = |blocks: bool| {
        AgentOptions::builder().hook(
            HookMatcher::user_prompt_submit(),
            move |input: UserPromptSubmitInput, _| async move {
                match blocks {
                    true => HookOutput::default().block("not this"),
                    false => HookOutput::default()
                        .additional_context(format!("{} has two letters", input.prompt)),
                }
            },
        )
    };
    let (seen, _) = play(ScriptedCli::new().turn(|t| t.say("Hello.")), options(false)).await;
    assert_eq!(seen.contexts(), ["Go. has two letters"]);
    let (seen, result) = play(ScriptedCli::new().turn(|t| t.say("Hello.")), options(true)).await;
    assert_eq!(
        result.text(),
        "UserPromptSubmit operation blocked by hook:\nnot this\n\nOriginal prompt: Go."
    );
    assert!((result.is_error, result.num_turns) == (false, 0));
    assert_eq!(seen.unplayed_turns(), Some(1));
}

#[tokio::test]
async fn a_blocked_stop_goes_on_with_the_next_turn() {
    let options =
        AgentOptions::builder().hook(HookMatcher::stop(), |input: StopInput, _| async move {
            if input.stop_hook_active {
                HookOutput::default()
            } else {
                HookOutput::default().block("go on")
            }
        });
    let (seen, result) =
        play(ScriptedCli::new().turn(|t| t.say("One.")).turn(|t| t.say("Two.")), options).await;
    assert_eq!(result.text(), "Two.");
    assert!(seen.transcript().contains("CLI user: Stop hook feedback:\ngo on"));
}

#[tokio::test]
async fn a_hook_that_fails_blocks_only_if_it_is_to() {
    for (on_failure, expected) in [
        (OnFailure::Continue, "wrote x"),
        (OnFailure::Block, "PreToolUse:mcp__calc__write hook error: [callback]: failed"),
    ] {
        let matcher = HookMatcher::pre_tool_use("mcp__calc__write").on_failure(on_failure);
        let (_, result) =
            play(writes(), allowed().hook(matcher, |_, _| async { HookOutput::failed("broken") }))
                .await;
        assert!(result.text().starts_with(expected), "{}", result.text());
    }
}

#[tokio::test]
async fn a_hook_that_is_late_prevents_the_call() {
    let matcher =
        HookMatcher::pre_tool_use("mcp__calc__write").timeout(std::time::Duration::from_millis(1));
    let (seen, result) =
        play(writes(), allowed().hook(matcher, |_, _| std::future::pending::<HookOutput<_>>()))
            .await;
    assert!(result.text().starts_with("PreToolUse hook did not respond"), "{}", result.text());
    assert!(seen.transcript().contains("CLI withdraws hook PreToolUse"));
}

#[tokio::test]
async fn a_matcher_that_cannot_be_played_is_refused() {
    let options = allowed()
        .hook(HookMatcher::pre_tool_use("(?=a)b"), |_, _| async { HookOutput::default() })
        .build()
        .unwrap();
    let error = crate::agent::query_with(ScriptedCli::new(), "Go.", options).await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("cannot play the matcher"), "{source}");
}
