use std::collections::BTreeSet;
use std::fmt::Debug;

use expect_test::{expect, expect_file};
use serde_json::Map;

use super::event::PermissionRequested as PermissionRequest;
use super::event::*;
use super::*;

type Example = (&'static str, Value, fn(Value) -> String);

/// An example of every event's input with all its fields, without those that all have.
fn examples() -> Vec<Example> {
    macro_rules! examples {
        ($($event:ident $example:tt)*) => {
            vec![$((stringify!($event), json!($example), |value| seen(&<$event as HookEvent>::Input::from(value)))),*]
        };
    }
    examples! {
        PreToolUse {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "u", "mcp_server": {"name": "calc", "source": "sdk"}}
        PreSkillShellCommand {"tool_name": "Bash", "tool_input": {"command": "date"}, "tool_use_id": "u", "command_name": "n", "command_source": "s", "invoked_by": "claude"}
        PostToolUse {"tool_name": "Bash", "tool_input": {}, "tool_response": [1], "tool_use_id": "u", "duration_ms": 12.5, "mcp_server": {"name": "calc", "source": "sdk"}}
        PostToolUseFailure {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "u", "error": "e", "is_interrupt": true, "duration_ms": 3, "mcp_server": {"name": "calc", "source": "sdk"}}
        PostToolBatch {"tool_calls": [{"tool_name": "Bash", "tool_input": {}, "tool_use_id": "u", "tool_response": "r"}]}
        PermissionRequest {"tool_name": "Bash", "tool_input": {}, "permission_suggestions": [{"type": "setMode", "mode": "plan", "destination": "session"}, {"type": "x"}], "mcp_server": {"name": "calc", "source": "sdk"}}
        PermissionDenied {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "u", "reason": "r", "mcp_server": {"name": "calc", "source": "sdk"}}
        Notification {"message": "m", "title": "t", "notification_type": "idle_prompt"}
        UserPromptSubmit {"prompt": "p", "source": "loop_wakeup", "session_title": "t"}
        UserPromptExpansion {"expansion_type": "mcp_prompt", "command_name": "n", "command_args": "a", "command_source": "s", "prompt": "p"}
        SessionStart {"source": "resume", "model": "m", "session_title": "t", "seconds_since_last_response": 1.5, "context_tokens": 7, "prompt_cache_likely_expired": true, "estimated_cache_write_usd": 0.25}
        SessionEnd {"reason": "prompt_input_exit"}
        Stop {"stop_hook_active": true, "last_assistant_message": "m", "background_tasks": [{"id": "i", "type": "shell", "status": "running", "description": "d", "command": "c", "agent_type": "a", "server": "s", "tool": "t", "name": "n"}], "session_crons": [{"id": "i", "schedule": "* * * * *", "recurring": true, "prompt": "p"}]}
        StopFailure {"error": "rate_limit", "error_details": "d", "last_assistant_message": "m"}
        SubagentStart {"agent_id": "a", "agent_type": "Explore"}
        SubagentStop {"stop_hook_active": true, "agent_id": "a", "agent_transcript_path": "/t", "agent_type": "Explore", "last_assistant_message": "m", "background_tasks": [{"id": "i"}], "session_crons": [{"id": "i"}]}
        PreCompact {"trigger": "manual", "custom_instructions": "c"}
        PostCompact {"trigger": "auto", "compact_summary": "s"}
        PreModelSwitch {"from_model": "a", "to_model": "b", "requested_model": "c", "source": "picker", "context_tokens": 7, "prompt_cache_warm": true, "cache_ttl": "5m", "estimated_cache_write_usd": 0.25, "pricing": "catalog"}
        PostModelSwitch {"from_model": "a", "to_model": "b", "requested_model": "c", "source": "resume", "context_tokens": 7, "prompt_cache_warm": true, "cache_ttl": "1h", "estimated_cache_write_usd": 0.25, "pricing": "default"}
        Setup {"trigger": "maintenance"}
        TeammateIdle {"teammate_name": "n", "team_name": "t"}
        TaskCreated {"task_id": "i", "task_subject": "s", "task_description": "d", "teammate_name": "n", "team_name": "t"}
        TaskCompleted {"task_id": "i", "task_subject": "s", "task_description": "d", "teammate_name": "n", "team_name": "t"}
        Elicitation {"mcp_server_name": "s", "message": "m", "mode": "url", "url": "https://x", "elicitation_id": "e", "requested_schema": {"type": "object"}}
        ElicitationResult {"mcp_server_name": "s", "elicitation_id": "e", "mode": "form", "action": "decline", "content": {"a": 1}}
        ConfigChange {"source": "skills", "file_path": "/f"}
        WorktreeCreate {"name": "n"}
        WorktreeRemove {"worktree_path": "/w"}
        InstructionsLoaded {"file_path": "/f", "memory_type": "Managed", "load_reason": "path_glob_match", "globs": ["*.rs"], "trigger_file_path": "/t", "parent_file_path": "/p"}
        CwdChanged {"old_cwd": "/a", "new_cwd": "/b"}
        FileChanged {"file_path": "/f", "event": "unlink"}
        DirectoryAdded {"directory": "/d", "source": "register_repo_root"}
        MessageDisplay {"turn_id": "t", "message_id": "m", "index": 2, "final": true, "delta": "d"}
    }
}

/// What was read, without the raw text.
fn seen(input: &impl Debug) -> String {
    let text = format!("{input:?}");
    text.split(", raw: ").next().unwrap().to_owned()
}

fn base() -> Map<String, Value> {
    let base = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": "/c", "prompt_id": "p", "permission_mode": "plan",
        "agent_id": "a", "agent_type": "Explore", "effort": {"level": "high"}
    });
    base.as_object().unwrap().clone()
}

#[test]
fn every_field_is_read() {
    let mut all = String::new();
    for (event, example, read) in examples() {
        let mut input = base();
        input.insert("hook_event_name".into(), event.into());
        input.extend(example.as_object().unwrap().clone());
        let text = read(input.into());
        let (_, own) = text.split_once(r#"effort: Some(HookEffort { level: "high" }), "#).unwrap();
        all += &format!("{event}: {own}\n");
    }
    expect_file!["inputs.txt"].assert_eq(&all);
}

#[test]
fn every_field_that_all_have_is_read() {
    let mut input = base();
    input.insert("hook_event_name".into(), "MoonPhase".into());
    expect![[r#"RawHookInput { hook_event_name: "MoonPhase", session_id: "s", transcript_path: "/t", cwd: "/c", prompt_id: Some("p"), permission_mode: Some(Plan), effort: Some(HookEffort { level: "high" }), agent_id: Some("a"), agent_type: Some("Explore")"#]].assert_eq(&seen(&RawHookInput::from(Value::from(input))));
}

#[test]
fn every_event_has_an_example() {
    let examples: BTreeSet<_> = examples().into_iter().map(|(event, ..)| event).collect();
    assert_eq!(examples, event::ALL.iter().map(|(event, _)| *event).collect());
}

#[test]
fn every_event_has_the_field_that_it_is_matched_by() {
    for ((event, example, _), (row, field)) in examples().into_iter().zip(event::ALL) {
        assert_eq!(event, *row);
        assert!(*field == "nothing" || example.get(field).is_some(), "{event} has no `{field}`");
    }
}

#[test]
fn what_is_missing_or_has_another_type_is_empty() {
    for (event, example, read) in examples() {
        let empty = read(json!({}));
        let fields = base().into_iter().chain(example.as_object().unwrap().clone());
        // These may be anything.
        let fields =
            fields.filter(|(name, _)| !matches!(name.as_str(), "tool_input" | "tool_response"));
        let names: Vec<_> = fields.chain([("hook_event_name".to_owned(), "x".into())]).collect();
        for wrong in [json!({"a": []}), json!([null, 7]), json!(null)] {
            let mistyped: Value = names
                .iter()
                .map(|(name, value)| {
                    (
                        name.clone(),
                        if value.is_object() || value.is_array() {
                            json!("x")
                        } else {
                            wrong.clone()
                        },
                    )
                })
                .collect();
            assert_eq!(read(mistyped), empty, "{event}");
        }
        for other in [json!(null), json!(7), json!([]), json!("x")] {
            assert_eq!(read(other), empty, "{event}");
        }
    }
}

#[test]
fn parts_of_lists_that_cannot_be_read_are_left_out() {
    let input = PostToolBatchInput::from(
        json!({"tool_calls": [7, {"tool_name": "a"}, null, {"tool_name": 7}]}),
    );
    let names: Vec<_> = input.tool_calls.iter().map(|call| call.tool_name.as_str()).collect();
    assert_eq!(names, ["a", ""]);
}

#[test]
fn unknown_fields_and_words_are_kept() {
    let input = SessionStartInput::from(json!({"source": "moon", "newer": 1}));
    assert_eq!(input.source, SessionStartSource::Other("moon".into()));
    assert_eq!(input.raw(), r#"{"source":"moon","newer":1}"#);
    assert_eq!(input.session_id, "");
}

#[test]
fn tool_inputs_become_types() {
    #[derive(serde::Deserialize)]
    struct Bash {
        command: String,
    }
    let input =
        PreToolUseInput::from(json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}));
    assert_eq!(input.input::<Bash>().unwrap().command, "ls");
    assert!(PreToolUseInput::from(json!({})).input::<Bash>().is_err());
}
