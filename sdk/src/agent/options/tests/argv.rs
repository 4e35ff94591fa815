//! What each option is as arguments.

use std::path::{Path, PathBuf};

use expect_test::expect;
use serde_json::json;

use super::harness::{OTHER_UUID, UUID, added, argv, lines};
use crate::agent::options::{
    AgentOptions, Effort, Plugin, Sandbox, SettingSource, SystemPrompt, Thinking, ThinkingDisplay,
};
use crate::agent::permission::{Permission, PermissionMode, PermissionRequest};

#[test]
fn nothing_said() {
    lines(
        expect![[r#"
        --output-format
        stream-json
        --verbose
        --system-prompt=
        --input-format
        stream-json
    "#]],
        argv(&AgentOptions::default()),
    );
}

#[test]
fn system_prompts() {
    let prompt = |prompt: SystemPrompt| added(|b| b.system_prompt(prompt));
    assert_eq!(added(|b| b.system_prompt("Be terse.")), ["--system-prompt=Be terse."]);
    assert_eq!(added(|b| b.system_prompt("--bare")), ["--system-prompt=--bare"]);
    assert_eq!(added(|b| b.system_prompt("")), [""; 0]);
    assert_eq!(prompt(SystemPrompt::file("prompts/a.md")), ["--system-prompt-file=prompts/a.md"]);
    assert_eq!(prompt(SystemPrompt::claude_code()), [""; 0]);
    assert_eq!(
        prompt(SystemPrompt::claude_code().append("More.")),
        ["--append-system-prompt=More."]
    );
    assert_eq!(
        prompt(SystemPrompt::custom("A.").append("B.")),
        ["--system-prompt=A.", "--append-system-prompt=B."]
    );
}

#[test]
fn claude_codes_own_prompt_is_no_argument() {
    for own in [
        AgentOptions::builder().system_prompt(SystemPrompt::claude_code()),
        AgentOptions::builder().append_system_prompt("More."),
    ] {
        assert!(!argv(&own.build().unwrap()).iter().any(|arg| arg.starts_with("--system-prompt")));
    }
}

#[test]
fn models() {
    let args = added(|b| {
        b.model("sonnet")
            .fallback_model("haiku,opus")
            .agent("reviewer")
            .betas(["a-1", "b-2"])
            .effort(Effort::XHigh)
    });
    lines(
        expect![[r#"
        --model=sonnet
        --fallback-model=haiku,opus
        --agent=reviewer
        --betas=a-1,b-2
        --effort=xhigh
    "#]],
        args,
    );
}

#[test]
fn bounds() {
    lines(
        expect![[r#"
        --max-turns=3
        --max-budget-usd=0.0000005
        --task-budget=20000
    "#]],
        added(|b| b.max_turns(3).max_budget_usd(0.000_000_5).task_budget(20_000)),
    );
    assert_eq!(added(|b| b.max_budget_usd(2.0)), ["--max-budget-usd=2"]);
}

#[test]
fn thinking() {
    let thinking = |thinking| added(|b| b.thinking(thinking));
    assert_eq!(thinking(Thinking::Adaptive), ["--thinking=adaptive"]);
    assert_eq!(thinking(Thinking::Disabled), ["--thinking=disabled"]);
    assert_eq!(thinking(Thinking::Enabled { budget_tokens: 5000 }), ["--max-thinking-tokens=5000"]);
    assert_eq!(added(|b| b.max_thinking_tokens(0)), ["--max-thinking-tokens=0"]);
    let shown =
        added(|b| b.thinking(Thinking::Adaptive).thinking_display(ThinkingDisplay::Summarized));
    assert_eq!(shown, ["--thinking=adaptive", "--thinking-display=summarized"]);
}

#[test]
fn tools_and_rules() {
    assert_eq!(added(|b| b.tools(["Read", "Grep"]).tools(["Bash"])), ["--tools=Read,Grep,Bash"]);
    assert_eq!(added(|b| b.tools(["default"])), ["--tools=default"]);
    assert_eq!(added(|b| b.tools(["Read"]).no_tools()), ["--tools="]);
    let args = added(|b| {
        b.allowed_tools(["Read", "Bash(git log *, -p)"])
            .allowed_tools(vec![String::from("mcp__calc__*")])
            .disallowed_tools(["WebFetch(domain:a.example,b.example)"])
    });
    lines(
        expect![[r#"
        --allowedTools=Read,Bash(git log *, -p),mcp__calc__*
        --disallowedTools=WebFetch(domain:a.example,b.example)
    "#]],
        args,
    );
}

#[test]
fn permissions() {
    assert_eq!(
        added(|b| b.permission_mode(PermissionMode::AcceptEdits)),
        ["--permission-mode=acceptEdits"]
    );
    assert_eq!(added(|b| b.permission_mode("dontAsk")), ["--permission-mode=dontAsk"]);
    let bypass = added(|b| {
        b.permission_mode(PermissionMode::BypassPermissions)
            .allow_dangerously_skip_permissions(true)
    });
    assert_eq!(
        bypass,
        ["--permission-mode=bypassPermissions", "--allow-dangerously-skip-permissions"]
    );
    assert_eq!(
        added(|b| b.permission_prompt_tool("mcp__ask__me")),
        ["--permission-prompt-tool=mcp__ask__me"]
    );
    let asked = added(|b| b.can_use_tool(|_: PermissionRequest| async { Permission::allow() }));
    assert_eq!(asked, ["--permission-prompt-tool=stdio"]);
}

#[test]
fn sessions() {
    assert_eq!(added(|b| b.continue_conversation(true)), ["--continue"]);
    assert_eq!(added(|b| b.resume("my title")), ["--resume=my title"]);
    assert_eq!(added(|b| b.session_id(UUID)), [format!("--session-id={UUID}")]);
    assert_eq!(added(|b| b.persist_session(false)), ["--no-session-persistence"]);
    assert_eq!(
        added(|b| b.persist_session(true).continue_conversation(false).fork_session(false)),
        [""; 0]
    );
    let args = added(|b| {
        b.resume(UUID)
            .fork_session(true)
            .session_id(OTHER_UUID)
            .resume_session_at(OTHER_UUID)
            .resume_drops_turn("")
    });
    lines(
        expect![[r#"
        --resume=0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b
        --session-id=ffffffff-0000-4000-8000-000000000001
        --fork-session
        --resume-session-at=ffffffff-0000-4000-8000-000000000001
        --resume-drops-turn=
    "#]],
        args,
    );
}

#[test]
fn settings() {
    assert_eq!(added(|b| b.settings(Path::new("a.json"))), ["--settings=a.json"]);
    assert_eq!(added(|b| b.settings(PathBuf::from("a.json"))), ["--settings=a.json"]);
    assert_eq!(
        added(|b| b.setting_sources([SettingSource::User, SettingSource::Local])),
        ["--setting-sources=user,local"]
    );
    assert_eq!(added(|b| b.setting_sources([])), ["--setting-sources="]);
}

#[test]
fn settings_and_the_sandbox_go_by_file() {
    let in_file = |text: &str| {
        ["--settings=/files/settings.json".to_owned(), format!("# settings.json: {text}")]
    };
    for settings in [
        json!({"outputStyle": "Explanatory"}),
        json!({"env": {"TOKEN": "secret"}}),
        json!({"apiKeyHelper": "echo secret"}),
    ] {
        assert_eq!(added(|b| b.settings(settings.clone())), in_file(&settings.to_string()));
    }
    assert_eq!(
        added(|b| b.sandbox(json!({"enabled": true}))),
        in_file(r#"{"sandbox":{"enabled":true}}"#)
    );
    let both = added(|b| {
        b.settings(json!({"model": "opus", "sandbox": 1})).sandbox(json!({"enabled": true}))
    });
    assert_eq!(both, in_file(r#"{"model":"opus","sandbox":{"enabled":true}}"#));
    let denied = json!({"enabled": false, "filesystem": {"denyRead": ["~/.ssh"]}});
    let both = added(|b| {
        b.settings(json!({"sandbox": denied})).sandbox(Sandbox::new().deny_read(["~/.aws"]))
    });
    assert_eq!(
        both,
        in_file(
            r#"{"sandbox":{"enabled":true,"filesystem":{"denyRead":["~/.ssh","~/.aws"]},"failIfUnavailable":true}}"#
        )
    );
}

#[test]
fn skills_are_rules_and_sources() {
    lines(
        expect![[r#"
        --allowedTools=Read,Skill(pdf),Skill(docs:write)
        --setting-sources=user,project
    "#]],
        added(|b| b.skills(["pdf", "docs:write"]).allowed_tools(["Read", "Skill(pdf)"])),
    );
    lines(
        expect![[r#"
        --allowedTools=Skill
        --setting-sources=project
    "#]],
        added(|b| b.all_skills().setting_sources([SettingSource::Project])),
    );
}

#[test]
fn folders_and_plugins() {
    let plugins = [Plugin::local("p"), Plugin::local("-q.zip").skip_mcp_discovery(true)];
    lines(
        expect![[r#"
        --add-dir=a b
        --add-dir=/c
        --plugin-dir=p
        --plugin-dir-no-mcp=-q.zip
        --plugin-dir=r
    "#]],
        added(|b| b.add_dir("a b").add_dir(PathBuf::from("/c")).plugins(plugins).plugins(["r"])),
    );
}

#[test]
fn logs() {
    assert_eq!(added(|b| b.debug(true)), ["--debug"]);
    assert_eq!(added(|b| b.debug(true).debug_file("log")), ["--debug-file=log"]);
    assert_eq!(added(|b| b.debug(false)), [""; 0]);
}

#[test]
fn messages() {
    lines(
        expect![[r#"
        --include-partial-messages
        --include-hook-events
        --strict-mcp-config
    "#]],
        added(|b| {
            b.include_partial_messages(true).include_hook_events(true).strict_mcp_config(true)
        }),
    );
}

#[test]
fn extra_args() {
    let args = added(|b| {
        b.extra_arg("debug-file", Some("/x"))
            .extra_arg("brief", None)
            .extra_arg("plugin-url", Some("-u"))
            .extra_arg("name", Some(""))
    });
    lines(
        expect![[r#"
        --debug-file=/x
        --brief
        --plugin-url=-u
        --name=
    "#]],
        args,
    );
}

#[test]
fn schemas() {
    let schema = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}});
    lines(
        expect![[r#"
        --json-schema={"type":"object","properties":{"ok":{"type":"boolean"}}}
    "#]],
        added(|b| b.json_schema(schema)),
    );
}

#[crate::data]
#[allow(dead_code, reason = "only its schema is wanted")]
struct Verdict {
    /// Whether it may be merged.
    approve: bool,
    reasons: Option<Vec<String>>,
}

#[test]
fn a_type_is_a_schema() {
    lines(
        expect![[r#"
        --json-schema={"type":"object","properties":{"approve":{"type":"boolean","description":"Whether it may be merged."},"reasons":{"type":"array","items":{"type":"string"}}},"required":["approve"]}
    "#]],
        added(|b| b.output_type::<Verdict>()),
    );
}
