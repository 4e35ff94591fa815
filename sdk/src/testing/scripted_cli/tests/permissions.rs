//! Permissions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::{allowed, asked, play, registry};
use crate::agent::options::InlineSettings;
use crate::agent::permission::PermissionUpdate;
use crate::agent::{
    AgentOptions, AgentOptionsBuilder, HookMatcher, HookOutput, Permission, PermissionMode,
    PermissionRequest,
};
use crate::testing::{ScriptedCli, Turn};

fn writes() -> ScriptedCli {
    ScriptedCli::new().turn(|t| t.call("mcp__calc__write", json!({"text": "x"})).say_result())
}

fn asking(
    answer: impl Fn(PermissionRequest) -> Permission + Clone + Send + Sync + 'static,
) -> AgentOptionsBuilder {
    AgentOptions::builder()
        .mcp_server(registry())
        .can_use_tool(move |request| std::future::ready(answer(request)))
}

#[tokio::test]
async fn a_request_says_what_the_real_one_says() {
    let (seen, result) = play(writes(), asking(|_| Permission::allow())).await;
    assert_eq!(result.text(), "wrote x");
    let request = &asked(&seen, "can_use_tool")[0];
    assert_eq!(request["mcp_server"], json!({"name": "calc", "source": "sdk"}));
    assert_eq!(request["display_name"], "Write");
    assert_eq!(request["permission_suggestions"][0]["rules"][0]["toolName"], "mcp__calc__write");
    let states: Vec<_> =
        seen.said().into_iter().filter(|line| line["subtype"] == "session_state_changed").collect();
    let states: Vec<_> = states.iter().map(|line| line["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["running", "requires_action", "running", "idle"]);
}

#[tokio::test]
async fn a_rule_keeps_it_from_being_asked() {
    let options = allowed().can_use_tool(|_: PermissionRequest| async { Permission::deny("no") });
    let (seen, result) = play(writes(), options).await;
    assert_eq!(result.text(), "wrote x");
    assert!(asked(&seen, "can_use_tool").is_empty());
}

#[tokio::test]
async fn settings_of_the_options_have_rules_folders_a_mode_and_a_model() {
    let settings = InlineSettings::new()
        .default_mode(PermissionMode::AcceptEdits)
        .additional_directories(["/shared"])
        .model("opus");
    let options = || asking(|_| Permission::deny("no")).settings(settings.clone());
    let (seen, _) = play(write_to("/shared/a"), options()).await;
    assert!(asked(&seen, "can_use_tool").is_empty());
    assert!(seen.said().iter().any(|line| line["model"] == "opus"), "{seen:?}");
    let flags = options().permission_mode(PermissionMode::Default).model("haiku");
    let (seen, _) = play(write_to("/shared/a"), flags).await;
    assert_eq!(asked(&seen, "can_use_tool").len(), 2);
    assert!(seen.said().iter().any(|line| line["model"] == "haiku"), "{seen:?}");

    let rules = InlineSettings::new().allow(["mcp__calc__write"]);
    let options = || asking(|_| Permission::deny("ask a human"));
    assert_eq!(play(writes(), options().settings(rules)).await.1.text(), "wrote x");
    let rules = InlineSettings::new().ask(["mcp__calc__write"]);
    let options = || options().allowed_tools(["mcp__calc__write"]);
    assert_eq!(play(writes(), options().settings(rules)).await.1.text(), "ask a human");
    let rules = InlineSettings::new().deny(["mcp__calc__write"]);
    let (_, result) = play(writes(), options().settings(rules)).await;
    assert!(result.text().contains("No such tool available"), "{}", result.text());
}

#[tokio::test]
async fn a_question_to_the_user_is_asked_whatever_allows_the_tool() {
    let ask = || {
        let cli = ScriptedCli::new().builtin("AskUserQuestion", "Red.");
        cli.turn(|t| t.call("AskUserQuestion", json!({"questions": []})).say_result())
    };
    let options = || asking(|_| Permission::allow());
    for options in [
        options(),
        options().allowed_tools(["AskUserQuestion"]),
        options().permission_mode(PermissionMode::AcceptEdits),
        options().permission_mode(PermissionMode::Plan),
        options()
            .allow_dangerously_skip_permissions(true)
            .permission_mode(PermissionMode::BypassPermissions),
        options().hook(HookMatcher::pre_tool_use("*"), async |_, _| HookOutput::default().allow()),
    ] {
        let (seen, result) = play(ask(), options).await;
        assert_eq!(result.text(), "The user did not answer the questions.");
        let [request] = &asked(&seen, "can_use_tool")[..] else { panic!("{seen:?}") };
        assert_eq!(request["requires_user_interaction"], true);
        for absent in ["permission_suggestions", "decision_reason_type", "server_policy_ask_only"] {
            assert_eq!(request.get(absent), None, "{request}");
        }
    }

    // A hook may answer it, and in this mode nobody is asked.
    let answers = async |_, _| {
        HookOutput::default().allow().updated_input(json!({"questions": [], "answers": {}}))
    };
    let options = options().hook(HookMatcher::pre_tool_use("*"), answers);
    assert!(asked(&play(ask(), options).await.0, "can_use_tool").is_empty());
    let options = asking(|_| Permission::allow()).allowed_tools(["AskUserQuestion"]);
    let (seen, result) = play(ask(), options.permission_mode(PermissionMode::DontAsk)).await;
    assert!(asked(&seen, "can_use_tool").is_empty());
    assert_eq!(result.permission_denials[0].tool_name, "AskUserQuestion");
}

#[tokio::test]
async fn changed_input_reaches_the_tool_and_not_the_message() {
    let (seen, result) =
        play(writes(), asking(|_| Permission::allow().with_input(json!({"text": "y"})))).await;
    assert_eq!(result.text(), "wrote y");
    assert_eq!(seen.calls()[0].input, Some(json!({"text": "y"})));
    let said = seen.transcript();
    assert!(said.contains(r#"CLI assistant: mcp__calc__write {"text":"x"}"#), "{said}");
}

#[tokio::test]
async fn a_denial_is_a_result_and_is_listed() {
    let (seen, result) = play(writes(), asking(|_| Permission::deny("not today"))).await;
    assert_eq!(result.text(), "not today");
    assert!(!result.is_error);
    assert_eq!(result.permission_denials[0].tool_name, "mcp__calc__write");
    assert!(seen.calls()[0].is_error && seen.calls()[0].input.is_none());
}

#[tokio::test]
async fn a_denial_with_interrupt_ends_the_turn_and_the_process_fails() {
    let (seen, result) = play(writes(), asking(|_| Permission::deny("stop").and_interrupt())).await;
    assert_eq!(
        (result.subtype.as_str(), result.is_error, result.num_turns),
        ("error_during_execution", true, 3)
    );
    assert_eq!(result.terminal_reason.as_deref(), Some("aborted_tools"));
    assert!(seen.transcript().contains("[Request interrupted by user for tool use]"));
}

#[tokio::test]
async fn added_rules_hold_for_the_next_call() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let options = asking(move |request| {
        counted.fetch_add(1, Ordering::Relaxed);
        Permission::allow().with_updates(request.suggestions)
    });
    let cli = ScriptedCli::new()
        .turn(|t| (0..3).fold(t, |t, _| t.call("mcp__calc__write", json!({"text": "x"}))));
    let (seen, _) = play(cli, options).await;
    assert_eq!(seen.calls().len(), 3);
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn nobody_to_ask_is_a_denial() {
    for (mode, reason) in [("default", "you haven't granted it yet"), ("dontAsk", "don't ask mode")]
    {
        let (seen, result) =
            play(writes(), AgentOptions::builder().mcp_server(registry()).permission_mode(mode))
                .await;
        assert!(result.text().contains(reason), "{}", result.text());
        assert_eq!(result.permission_denials.len(), 1);
        assert!(seen.transcript().contains("system/permission_denied mcp__calc__write"));
    }
}

#[tokio::test]
async fn edits_that_are_accepted_are_not_asked_for() {
    for (mode, asked_for) in [
        ("default", vec!["Write", "Write", "NotebookEdit", "Bash"]),
        ("acceptEdits", vec!["Write", "Bash"]),
    ] {
        let cli = ["Write", "NotebookEdit", "Bash"]
            .iter()
            .fold(ScriptedCli::new(), |cli, tool| cli.builtin(*tool, "Done."))
            .turn(|t| {
                t.call("Write", json!({"file_path": "/home/a", "content": ""}))
                    .call("Write", json!({"file_path": "/etc/a", "content": ""}))
                    .call("NotebookEdit", json!({"notebook_path": "/shared/a"}))
                    .call("Bash", json!({"command": "true"}))
            });
        let options = asking(|_| Permission::allow()).cwd("/home").add_dir("/shared");
        let (seen, _) = play(cli, options.permission_mode(mode)).await;
        let requests = asked(&seen, "can_use_tool");
        let tools: Vec<_> = requests.iter().map(|it| it["tool_name"].as_str().unwrap()).collect();
        assert_eq!(tools, asked_for, "{mode}");
    }
}

fn write_to(path: &str) -> ScriptedCli {
    let input = json!({"file_path": path, "content": ""});
    let write = move |t: Turn| t.call("Write", input.clone()).call("Write", input);
    ScriptedCli::new().builtin("Write", "Done.").turn(write)
}

#[tokio::test]
async fn only_edits_in_the_folders_of_the_session_are_accepted() {
    for (folder, path, is_asked) in [
        ("/home", "a", false),
        ("/home", "./b/../a", false),
        ("/home", "../etc/a", true),
        ("/home", "/home/../etc/a", true),
        // That of this program.
        ("", "a", false),
        ("", "/etc/a", true),
    ] {
        let options = asking(|_| Permission::allow()).permission_mode(PermissionMode::AcceptEdits);
        let options = if folder.is_empty() { options } else { options.cwd(folder) };
        let requests = asked(&play(write_to(path), options).await.0, "can_use_tool");
        assert_eq!(requests.len(), if is_asked { 2 } else { 0 }, "{folder} {path}");
    }
}

#[tokio::test]
async fn an_answer_may_add_a_folder_for_edits() {
    let options =
        asking(|_| Permission::allow().with_updates([PermissionUpdate::add_directories(["/etc"])]));
    let options = options.permission_mode(PermissionMode::AcceptEdits).cwd("/home");
    let (seen, _) = play(write_to("/etc/a"), options).await;
    assert_eq!(asked(&seen, "can_use_tool").len(), 1);
}

#[tokio::test]
async fn bypassing_asks_nobody() {
    let options = asking(|_| Permission::deny("no"))
        .permission_mode("bypassPermissions")
        .allow_dangerously_skip_permissions(true);
    let (_, result) = play(writes(), options).await;
    assert_eq!(result.text(), "wrote x");
}

#[tokio::test]
async fn a_call_is_allowed_for_the_session_as_by_the_real_one() {
    let cli = ["Bash", "Write", "WebFetch"]
        .iter()
        .fold(ScriptedCli::new(), |cli, tool| cli.builtin(*tool, "Done."));
    let calls = [
        ("WebFetch", json!({"url": "https://example.com/a"})),
        ("WebFetch", json!({"url": "https://example.com/b"})),
        ("WebFetch", json!({"url": "https://example.org/b"})),
        ("Bash", json!({"command": "make && rm /home/x"})),
        ("Bash", json!({"command": "make"})),
        ("Bash", json!({"command": "make && rm /home/x"})),
        ("Bash", json!({"command": "rm /home/x"})),
        ("Bash", json!({"command": "rm /home/y /home/z"})),
        ("Bash", json!({"command": "rm /etc/y /home/z"})),
        ("Write", json!({"file_path": "/home/a", "content": ""})),
        ("Bash", json!({"command": "rm -r /home"})),
    ];
    let cli =
        cli.turn(|turn| calls.into_iter().fold(turn, |turn, (tool, input)| turn.call(tool, input)));
    let options = asking(|request| request.allow_for_session()).cwd("/home");
    let requests = asked(&play(cli, options).await.0, "can_use_tool");
    let inputs: Vec<_> = requests.iter().map(|it| it["input"].to_string()).collect();
    let inputs = inputs.join("\n");
    let expected = r#"{"url":"https://example.com/a"}
{"url":"https://example.org/b"}
{"command":"make && rm /home/x"}
{"command":"make"}
{"command":"rm /home/x"}
{"command":"rm /etc/y /home/z"}
{"command":"rm -r /home"}"#;
    assert_eq!(inputs, expected);
}

#[tokio::test]
async fn rules_are_about_the_file_that_a_path_leads_to() {
    let read = |path: &str| {
        let cli = ScriptedCli::new().builtin("Read", "It is read.");
        let input = json!({"file_path": path});
        cli.turn(|turn| turn.call("Read", input).say_result())
    };
    let options = || asking(|_| Permission::deny("ask a human"));
    for (path, told) in [("/shared/a", "It is read."), ("/shared/../etc/passwd", "ask a human")] {
        let (_, result) = play(read(path), options().allowed_tools(["Read(//shared/**)"])).await;
        assert_eq!(result.text(), told, "{path}");
    }
    let (_, result) =
        play(read("/shared/../etc/passwd"), options().disallowed_tools(["Read(//etc/**)"])).await;
    assert_eq!(result.text(), "Permission to use Read has been denied.");
}

#[tokio::test]
async fn a_comma_in_a_rule_is_no_end_of_it() {
    let cli = ScriptedCli::new().builtin("Bash", "It ran.");
    let cli = cli.turn(|turn| turn.call("Bash", json!({"command": "git log a, b"})).say_result());
    let options = AgentOptions::builder().allowed_tools(["Bash(git log a, b)", "Write"]);
    assert_eq!(play(cli, options).await.1.text(), "It ran.");
}

#[tokio::test]
async fn the_root_is_suggested_as_the_folder_of_itself() {
    let cli = ScriptedCli::new().builtin("Bash", "It ran.");
    let cli = cli.turn(|turn| turn.call("Bash", json!({"command": "rm -rf /"})));
    let (seen, _) = play(cli, asking(|_| Permission::deny("no"))).await;
    let suggested = &asked(&seen, "can_use_tool")[0]["permission_suggestions"];
    assert_eq!(suggested[1]["directories"], json!(["/"]));
}
