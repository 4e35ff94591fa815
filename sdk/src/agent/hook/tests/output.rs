use std::time::Duration;

use expect_test::{Expect, expect};

use super::event::*;
use super::*;
use crate::agent::permission::{
    Permission, PermissionBehavior, PermissionRuleValue, PermissionUpdate,
};

fn check<E: HookEvent>(event: &str, output: HookOutput<E>, expected: Expect) {
    let text = output.encode(event).unwrap();
    expected.assert_eq(text.get());
}

#[test]
fn common_fields() {
    check::<Stop>("Stop", HookOutput::default(), expect!["{}"]);
    check::<Stop>("Stop", HookOutput::default().continue_(true), expect![[r#"{"continue":true}"#]]);
    check::<Stop>(
        "Stop",
        HookOutput::default().stop("enough"),
        expect![[r#"{"continue":false,"stopReason":"enough"}"#]],
    );
    check::<Stop>(
        "Stop",
        HookOutput::default()
            .suppress_output()
            .system_message("hi")
            .terminal_sequence("\u{1b}]0;t\u{7}"),
        expect![[
            r#"{"suppressOutput":true,"systemMessage":"hi","terminalSequence":"\u001b]0;t\u0007"}"#
        ]],
    );
    check::<Stop>(
        "Stop",
        HookOutput::default().block("go on"),
        expect![[r#"{"decision":"block","reason":"go on"}"#]],
    );
    check::<PreToolUse>(
        "PreToolUse",
        HookOutput::default().approve("fine"),
        expect![[r#"{"decision":"approve","reason":"fine"}"#]],
    );
}

#[test]
fn a_field_has_the_last_value() {
    check::<PreToolUse>(
        "PreToolUse",
        HookOutput::default().system_message("a").allow().ask("why").system_message("b").allow(),
        expect![[
            r#"{"systemMessage":"b","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"why"}}"#
        ]],
    );
}

#[test]
fn asynchronous_outputs_say_nothing_else() {
    check::<Stop>("Stop", HookOutput::asynchronous(None), expect![[r#"{"async":true}"#]]);
    check::<PostToolUse>(
        "PostToolUse",
        HookOutput::asynchronous(Some(Duration::from_millis(1500)))
            .additional_context("x")
            .system_message("y"),
        expect![[r#"{"async":true,"asyncTimeout":1500}"#]],
    );
    check::<Stop>(
        "Stop",
        HookOutput::asynchronous(Some(Duration::MAX)),
        expect![[r#"{"async":true,"asyncTimeout":9007199254740991}"#]],
    );
    check::<Stop>(
        "Stop",
        HookOutput::default().with("async", false).system_message("y"),
        expect![[r#"{"async":false,"systemMessage":"y"}"#]],
    );
}

#[test]
fn failures_are_errors() {
    let output: HookOutput<Stop> = HookOutput::failed("no database").system_message("x");
    assert_eq!(output.encode("Stop").unwrap_err(), "no database");
    let output: HookOutput<PreToolUse> = HookOutput::default().updated_input(7);
    assert_eq!(output.encode("PreToolUse").unwrap_err(), "`updatedInput` is not a JSON object");
    let output: HookOutput<Elicitation> = HookOutput::default().accept("yes");
    assert_eq!(output.encode("Elicitation").unwrap_err(), "`content` is not a JSON object");
    let output: HookOutput<PermissionRequested> =
        HookOutput::default().decide(Permission::allow().with_input(7));
    assert_eq!(output.encode("PermissionRequest").unwrap_err(), "`decision` is not a JSON object");
}

/// The events whose hooks can tell the model something.
fn context<E: AddsContext>(event: &str) {
    let output = HookOutput::<E>::default().additional_context("c").encode(event).unwrap();
    assert_eq!(
        output.get(),
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":"c"}}}}"#
        )
    );
}

#[test]
fn additional_context() {
    context::<PreToolUse>("PreToolUse");
    context::<PostToolUse>("PostToolUse");
    context::<PostToolUseFailure>("PostToolUseFailure");
    context::<PostToolBatch>("PostToolBatch");
    context::<Notification>("Notification");
    context::<UserPromptSubmit>("UserPromptSubmit");
    context::<UserPromptExpansion>("UserPromptExpansion");
    context::<SessionStart>("SessionStart");
    context::<Setup>("Setup");
    context::<Stop>("Stop");
    context::<SubagentStart>("SubagentStart");
    context::<SubagentStop>("SubagentStop");
    context::<PostModelSwitch>("PostModelSwitch");
}

#[test]
fn decisions() {
    let event = "PreToolUse";
    check::<PreToolUse>(
        event,
        HookOutput::default().allow().updated_input(json!({"a": 1})),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"a":1}}}"#
        ]],
    );
    check::<PreToolUse>(
        event,
        HookOutput::default().deny("no").additional_context("use b"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"use b"}}"#
        ]],
    );
    check::<PreToolUse>(
        event,
        HookOutput::default().ask("sure?"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}"#
        ]],
    );
    check::<PreToolUse>(
        event,
        HookOutput::default().defer().permission_decision_reason("later"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer","permissionDecisionReason":"later"}}"#
        ]],
    );
    check::<PreSkillShellCommand>(
        "PreSkillShellCommand",
        HookOutput::default().deny("not here"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PreSkillShellCommand","permissionDecision":"deny","permissionDecisionReason":"not here"}}"#
        ]],
    );
    check::<PreModelSwitch>(
        "PreModelSwitch",
        HookOutput::default().deny("too dear"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PreModelSwitch","permissionDecision":"deny","permissionDecisionReason":"too dear"}}"#
        ]],
    );
}

#[test]
fn permission_requests() {
    let check = |permission, expected| {
        check::<PermissionRequested>(
            "PermissionRequest",
            HookOutput::default().decide(permission),
            expected,
        )
    };
    check(
        Permission::allow(),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#
        ]],
    );
    let update =
        PermissionUpdate::add_rules([PermissionRuleValue::new("Bash")], PermissionBehavior::Allow);
    check(
        Permission::allow().with_input(json!({"a": 1})).with_updates([update]),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"session"}]}}}"#
        ]],
    );
    check(
        Permission::deny("no"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}"#
        ]],
    );
    check(
        Permission::deny("no").and_interrupt(),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no","interrupt":true}}}"#
        ]],
    );
}

#[test]
fn tool_outputs() {
    check::<PostToolUse>(
        "PostToolUse",
        HookOutput::default()
            .classifier_context("the user said so")
            .updated_tool_output("x")
            .updated_mcp_tool_output(json!([1])),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","classifierContext":"the user said so","updatedToolOutput":"x","updatedMCPToolOutput":[1]}}"#
        ]],
    );
    check::<PermissionDenied>(
        "PermissionDenied",
        HookOutput::default().retry(),
        expect![[r#"{"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}"#]],
    );
}

#[test]
fn prompts_and_sessions() {
    check::<UserPromptSubmit>(
        "UserPromptSubmit",
        HookOutput::default().session_title("t").suppress_original_prompt(),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","sessionTitle":"t","suppressOriginalPrompt":true}}"#
        ]],
    );
    check::<UserPromptExpansion>(
        "UserPromptExpansion",
        HookOutput::default().suppress_original_prompt(),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"UserPromptExpansion","suppressOriginalPrompt":true}}"#
        ]],
    );
    check::<SessionStart>(
        "SessionStart",
        HookOutput::default()
            .initial_user_message("hi")
            .session_title("t")
            .watch_paths(["/a"])
            .reload_skills(),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","initialUserMessage":"hi","sessionTitle":"t","watchPaths":["/a"],"reloadSkills":true}}"#
        ]],
    );
    check::<MessageDisplay>(
        "MessageDisplay",
        HookOutput::default().display_content("…"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"MessageDisplay","displayContent":"…"}}"#
        ]],
    );
}

#[test]
fn elicitations() {
    // The text in `systemMessage` is the output once more.
    fn answers<E: HookEvent>(event: &str, output: HookOutput<E>, expected: &str) {
        let output = output.encode(event).unwrap().to_value();
        let text = output["systemMessage"].as_str().unwrap();
        assert_eq!(text, expected);
        let mut whole: serde_json::Value = serde_json::from_str(text).unwrap();
        whole["systemMessage"] = text.into();
        assert_eq!(output, whole);
    }
    answers::<Elicitation>(
        "Elicitation",
        HookOutput::default().accept(json!({"name": "x"})),
        r#"{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"name":"x"}}}"#,
    );
    answers::<ElicitationResult>(
        "ElicitationResult",
        HookOutput::default().decline().suppress_output(),
        r#"{"suppressOutput":true,"hookSpecificOutput":{"hookEventName":"ElicitationResult","action":"decline"}}"#,
    );
    answers::<Elicitation>(
        "Elicitation",
        HookOutput::default().system_message("Asked.").cancel(),
        r#"{"systemMessage":"Asked.","hookSpecificOutput":{"hookEventName":"Elicitation","action":"cancel"}}"#,
    );
    check::<Elicitation>(
        "Elicitation",
        HookOutput::default().system_message("Asked."),
        expect![[r#"{"systemMessage":"Asked."}"#]],
    );
}

#[test]
fn folders() {
    check::<CwdChanged>(
        "CwdChanged",
        HookOutput::default().watch_paths(["/a", "/b"]),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"CwdChanged","watchPaths":["/a","/b"]}}"#
        ]],
    );
    check::<FileChanged>(
        "FileChanged",
        HookOutput::default().watch_paths(Vec::<String>::new()),
        expect![[r#"{"hookSpecificOutput":{"hookEventName":"FileChanged","watchPaths":[]}}"#]],
    );
    check::<WorktreeCreate>(
        "WorktreeCreate",
        HookOutput::default().worktree_path("/w"),
        expect![[
            r#"{"hookSpecificOutput":{"hookEventName":"WorktreeCreate","worktreePath":"/w"}}"#
        ]],
    );
}

/// The events that have no output of their own.
#[test]
fn all_others_have_the_common_fields_only() {
    fn common<E: HookEvent>() {
        assert_eq!(
            HookOutput::<E>::default().block("b").encode("x").unwrap().get(),
            r#"{"decision":"block","reason":"b"}"#
        );
    }
    common::<SessionEnd>();
    common::<StopFailure>();
    common::<PreCompact>();
    common::<PostCompact>();
    common::<TeammateIdle>();
    common::<TaskCreated>();
    common::<TaskCompleted>();
    common::<ConfigChange>();
    common::<WorktreeRemove>();
    common::<InstructionsLoaded>();
    common::<DirectoryAdded>();
}
