//! An input of each hook, and hooks and callbacks that testify what they were called with.

use std::fmt::Debug;

use serde_json::Value;
use toolwright::agent::hook::{HookEvent, HookMatcher, HookOutput};
use toolwright::agent::{AgentOptionsBuilder, DialogRequest, ElicitationRequest, HookContext};
use toolwright::agent::{DialogAnswer, ElicitationAnswer, Permission, PermissionRequest};
use toolwright::json;

/// The number of the first hook that testifies.
const FIRST: usize = 2;
/// The kind of dialogs that there is a callback for.
const DIALOG: &str = "refusal_fallback_prompt";
/// Requests for this tool are testified.
const TOLD: &str = "Write";
/// A request for a permission with all its members.
const PERMISSION: &str = r#"{"subtype":"can_use_tool","tool_name":"Write","mcp_server":{"name":"calc","source":"sdk"},"input":{"command":"ls"},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls"}],"behavior":"allow","destination":"session"},{"type":"setMode","mode":"plan","destination":"userSettings"},{"type":"addDirectories","directories":["/a"],"destination":"cliArg"},{"type":"x"}],"blocked_path":"/b","decision_reason":"d","decision_reason_type":"rule","classifier_approvable":true,"suppress_always_allow_rule":true,"default_to_no":true,"matched_ask_rule":{"source":"s","tool_name":"t","rule_content":"c"},"title":"t","display_name":"n","tool_use_id":"u","agent_id":"a","description":"e","requires_user_interaction":true,"newer":{"type":[1]}}"#;
/// A question with all its members.
const QUESTION: &str = r#"{"subtype":"elicitation","mcp_server_name":"shop","message":"?","mode":"form","url":"https://a.example/","elicitation_id":"e","requested_schema":{"type":"object","properties":{"name":{"type":"string"}}},"property_order":["age","name"],"title":"t","display_name":"n","description":"d","newer":{"type":[1]}}"#;

macro_rules! hooks {
    ($($matcher:expr => $input:tt)*) => {
        /// Adds a hook for each input.
        pub(super) fn with_hooks(options: AgentOptionsBuilder) -> AgentOptionsBuilder {
            $(let options = with_hook(options, $matcher);)*
            options
        }

        fn inputs() -> Vec<Value> {
            vec![$(json!($input)),*]
        }
    };
}

hooks! {
    HookMatcher::pre_tool_use("*") => {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "u", "mcp_server": {"name": "calc", "source": "sdk"}}
    HookMatcher::pre_skill_shell_command("*") => {"tool_name": "Bash", "tool_input": {"command": "date"}, "tool_use_id": "u", "command_name": "n", "command_source": "s", "invoked_by": "claude"}
    HookMatcher::post_tool_use("*") => {"tool_name": "Bash", "tool_input": {"a": 1}, "tool_response": [1], "tool_use_id": "u", "duration_ms": 12.5, "mcp_server": {"name": "calc", "source": "sdk"}}
    HookMatcher::post_tool_use_failure("*") => {"tool_name": "Bash", "tool_input": {"a": 1}, "tool_use_id": "u", "error": "e", "is_interrupt": true, "duration_ms": 3, "mcp_server": {"name": "calc", "source": "sdk"}}
    HookMatcher::post_tool_batch() => {"tool_calls": [{"tool_name": "Bash", "tool_input": {"a": 1}, "tool_use_id": "u", "tool_response": "r"}, {"tool_name": "Read"}]}
    HookMatcher::permission_request("*") => {"tool_name": "Bash", "tool_input": {"a": 1}, "permission_suggestions": [{"type": "setMode", "mode": "plan", "destination": "session"}, {"type": "x"}], "mcp_server": {"name": "calc", "source": "sdk"}}
    HookMatcher::permission_denied("*") => {"tool_name": "Bash", "tool_input": {"a": 1}, "tool_use_id": "u", "reason": "r", "mcp_server": {"name": "calc", "source": "sdk"}}
    HookMatcher::notification() => {"message": "m", "title": "t", "notification_type": "idle_prompt"}
    HookMatcher::user_prompt_submit() => {"prompt": "p", "source": "loop_wakeup", "session_title": "t"}
    HookMatcher::user_prompt_expansion() => {"expansion_type": "mcp_prompt", "command_name": "n", "command_args": "a", "command_source": "s", "prompt": "p"}
    HookMatcher::session_start() => {"source": "resume", "model": "m", "session_title": "t", "seconds_since_last_response": 1.5, "context_tokens": 7, "prompt_cache_likely_expired": true, "estimated_cache_write_usd": 0.25}
    HookMatcher::session_end() => {"reason": "prompt_input_exit"}
    HookMatcher::stop() => {"stop_hook_active": true, "last_assistant_message": "m", "background_tasks": [{"id": "i", "type": "shell", "status": "running", "description": "d", "command": "c", "agent_type": "a", "server": "s", "tool": "t", "name": "n"}, {"id": "j"}], "session_crons": [{"id": "i", "schedule": "* * * * *", "recurring": true, "prompt": "p"}]}
    HookMatcher::stop_failure() => {"error": "rate_limit", "error_details": "d", "last_assistant_message": "m"}
    HookMatcher::subagent_start() => {}
    HookMatcher::subagent_stop() => {"stop_hook_active": true, "agent_transcript_path": "/t", "last_assistant_message": "m", "background_tasks": [{"id": "i"}], "session_crons": [{"id": "i"}]}
    HookMatcher::pre_compact() => {"trigger": "manual", "custom_instructions": "c"}
    HookMatcher::post_compact() => {"trigger": "auto", "compact_summary": "s"}
    HookMatcher::pre_model_switch() => {"from_model": "a", "to_model": "b", "requested_model": "c", "source": "picker", "context_tokens": 7, "prompt_cache_warm": true, "cache_ttl": "5m", "estimated_cache_write_usd": 0.25, "pricing": "catalog"}
    HookMatcher::post_model_switch() => {"from_model": "a", "to_model": "b", "requested_model": "c", "source": "resume", "context_tokens": 7, "prompt_cache_warm": true, "cache_ttl": "1h", "estimated_cache_write_usd": 0.25, "pricing": "default"}
    HookMatcher::setup() => {"trigger": "maintenance"}
    HookMatcher::teammate_idle() => {"teammate_name": "n", "team_name": "t"}
    HookMatcher::task_created() => {"task_id": "i", "task_subject": "s", "task_description": "d", "teammate_name": "n", "team_name": "t"}
    HookMatcher::task_completed() => {"task_id": "i", "task_subject": "s", "task_description": "d", "teammate_name": "n", "team_name": "t"}
    HookMatcher::elicitation() => {"mcp_server_name": "s", "message": "m", "mode": "url", "url": "https://x", "elicitation_id": "e", "requested_schema": {"type": "object"}}
    HookMatcher::elicitation_result() => {"mcp_server_name": "s", "elicitation_id": "e", "mode": "form", "action": "decline", "content": {"a": 1}}
    HookMatcher::config_change() => {"source": "skills", "file_path": "/f"}
    HookMatcher::worktree_create() => {"name": "n"}
    HookMatcher::worktree_remove() => {"worktree_path": "/w"}
    HookMatcher::instructions_loaded() => {"file_path": "/f", "memory_type": "Managed", "load_reason": "path_glob_match", "globs": ["*.rs"], "trigger_file_path": "/t", "parent_file_path": "/p"}
    HookMatcher::cwd_changed() => {"old_cwd": "/a", "new_cwd": "/b"}
    HookMatcher::file_changed() => {"file_path": "/f", "event": "unlink"}
    HookMatcher::directory_added() => {"directory": "/d", "source": "register_repo_root"}
    HookMatcher::message_display() => {"turn_id": "t", "message_id": "m", "index": 2, "final": true, "delta": "d"}
    HookMatcher::raw("MoonPhase", None) => {"phase": "full"}
}

fn with_hook<E: HookEvent<Input: Debug>>(
    options: AgentOptionsBuilder,
    matcher: HookMatcher<E>,
) -> AgentOptionsBuilder {
    options.hook(matcher, testify::<E>)
}

async fn testify<E: HookEvent<Input: Debug>>(input: E::Input, _: HookContext) -> HookOutput<E> {
    HookOutput::default().with("seen", format!("{input:#?}"))
}

/// Adds the callbacks.
pub(super) fn with_callbacks(options: AgentOptionsBuilder) -> AgentOptionsBuilder {
    let permission = |request: PermissionRequest| async move {
        tokio::task::yield_now().await;
        let allowed = Permission::allow();
        match request.tool_name == TOLD {
            true => allowed.with_input(json!({"seen": format!("{request:#?}")})),
            false => allowed,
        }
    };
    let elicitation = |question: ElicitationRequest| async move {
        let answer: ElicitationAnswer = question.accept(json!({"seen": format!("{question:#?}")}));
        answer
    };
    let dialog = |dialog: DialogRequest| async move {
        let answer: DialogAnswer = dialog.complete(json!({"seen": format!("{dialog:#?}")}));
        answer
    };
    options.can_use_tool(permission).on_elicitation(elicitation).on_user_dialog([DIALOG], dialog)
}

/// The bodies of requests that are testified.
pub(super) fn bodies() -> Vec<String> {
    let dialog = json!({
        "subtype": "request_user_dialog", "dialog_kind": DIALOG, "payload": {"a": [1]},
        "tool_use_id": "u",
    });
    let mut bodies = vec![PERMISSION.to_owned(), QUESTION.to_owned(), dialog.to_string()];
    bodies.extend(inputs().iter().enumerate().map(|(at, own)| {
        let mut input = json!({
            "hook_event_name": "n", "session_id": "s", "transcript_path": "/t", "cwd": "/c",
            "prompt_id": "p", "permission_mode": "plan", "agent_id": "a", "agent_type": "Explore",
            "effort": {"level": "high"}, "newer": {"type": [1]},
        });
        for (name, value) in own.as_object().unwrap() {
            input[name] = value.clone();
        }
        let callback = format!("hook_{}", FIRST + at);
        json!({
            "subtype": "hook_callback", "callback_id": callback, "input": input,
            "tool_use_id": "u",
        })
        .to_string()
    }));
    bodies
}

/// What was testified with an answer.
pub(super) fn seen(answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).unwrap();
    [&answer, &answer["updatedInput"], &answer["content"], &answer["result"]]
        .iter()
        .find_map(|place| Some(place["seen"].as_str()?.to_owned()))
}
