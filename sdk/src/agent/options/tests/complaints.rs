//! What `build` refuses, alone and all at once.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use serde_json::json;

use super::harness::{OTHER_UUID, UUID, complaints};
use crate::agent::options::{
    AgentDefinition, AgentOptions, PermissionPrompts, Settings, SystemPrompt, Thinking,
    ThinkingDisplay,
};
use crate::agent::permission::{Permission, PermissionMode, PermissionRequest};
use crate::agent::sessions::InMemoryStore;

#[test]
fn prompts() {
    expect![[r#"
        system_prompt: it has a zero byte at offset 6
        append_system_prompt: it has a zero byte at offset 6
        append_system_prompt: the system prompt has a text to append already
        system_prompt: exclude_dynamic_sections is for Claude Code's own prompt; others have no such sections"#]]
    .assert_eq(&complaints(|b| {
        let prompt = SystemPrompt::custom("secret\0").append("b").exclude_dynamic_sections(true);
        b.system_prompt(prompt).append_system_prompt("secret\0")
    }));
    expect!["system_prompt: it is empty"]
        .assert_eq(&complaints(|b| b.system_prompt(SystemPrompt::file(""))));
    let whole = SystemPrompt::custom("a").exclude_dynamic_sections(false);
    assert_eq!(complaints(|b| b.system_prompt(whole)), "none");
}

#[test]
fn models() {
    expect![[r#"
        betas: "a,b" has a comma or space, which would make it two
        betas: it is empty
        betas: "c d" has a comma or space, which would make it two
        fallback_model: it is the model itself, which has nothing to fall back to"#]]
    .assert_eq(&complaints(|b| {
        b.model("sonnet").fallback_model("opus, sonnet").betas(["a,b", "", "c d"])
    }));
    expect![[r#"
        model: it is empty
        fallback_model: it has a zero byte at offset 0
        agent: it is empty"#]]
    .assert_eq(&complaints(|b| b.model("").fallback_model("\0").agent("")));
}

#[test]
fn bounds() {
    for dollars in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            complaints(|b| b.max_budget_usd(dollars)),
            format!("max_budget_usd: {dollars} is no amount above 0")
        );
    }
    expect![[r#"
        max_turns: at least 1 is needed
        task_budget: at least 1 is needed"#]]
    .assert_eq(&complaints(|b| b.max_turns(0).task_budget(0)));
    expect![[r#"
        max_line: at least 1 byte is needed
        max_unread: at least 1 byte is needed
        control_timeout: nothing can be answered in no time
        initialize_timeout: nothing can be answered in no time"#]]
    .assert_eq(&complaints(|b| {
        b.max_line(0)
            .max_unread(0)
            .control_timeout(Duration::ZERO)
            .initialize_timeout(Duration::ZERO)
            .close_grace(Duration::ZERO)
    }));
}

#[test]
fn thinking() {
    expect![[r#"
        max_thinking_tokens: thinking is set too; say it once
        thinking_display: thinking is disabled"#]]
    .assert_eq(&complaints(|b| {
        b.thinking(Thinking::Disabled)
            .thinking_display(ThinkingDisplay::Summarized)
            .max_thinking_tokens(1)
    }));
    expect!["thinking: a budget of 0 tokens is none; say Thinking::Disabled"]
        .assert_eq(&complaints(|b| b.thinking(Thinking::Enabled { budget_tokens: 0 })));
}

/// Its schema has a `type` in each of the variants, and none at the root.
#[crate::data]
#[serde(tag = "kind")]
enum Verdict {
    Approved { by: String },
    Refused { reason: String },
}

#[test]
fn schemas() {
    let schemas = [
        json!(true),
        json!([]),
        json!({}),
        json!({"type": "array"}),
        json!({"type": ["object", "null"]}),
    ];
    let mut all: Vec<_> =
        schemas.into_iter().map(|schema| complaints(|b| b.json_schema(schema))).collect();
    all.push(complaints(|b| b.output_type::<Vec<u8>>()));
    all.push(complaints(|b| b.output_type::<Option<Verdict>>()));
    all.push(complaints(|b| b.output_type::<Verdict>()));
    expect![[r#"
        json_schema: a schema is a JSON object
        json_schema: a schema is a JSON object
        json_schema or output_type: the type of the root must be "object" and is missing; make an enum, a list or an Option a field of a struct
        json_schema or output_type: the type of the root must be "object" and is "array"; make an enum, a list or an Option a field of a struct
        json_schema or output_type: the type of the root must be "object" and is ["object","null"]; make an enum, a list or an Option a field of a struct
        json_schema or output_type: the type of the root must be "object" and is "array"; make an enum, a list or an Option a field of a struct
        json_schema or output_type: the type of the root must be "object" and is missing; make an enum, a list or an Option a field of a struct
        json_schema or output_type: the type of the root must be "object" and is missing; make an enum, a list or an Option a field of a struct"#]]
    .assert_eq(&all.join("\n"));
}

#[test]
fn permissions() {
    expect![[r#"
        permission_prompt_tool: can_use_tool is set too, and only one can be asked
        permission_mode: bypassPermissions needs allow_dangerously_skip_permissions(true)"#]]
    .assert_eq(&complaints(|b| {
        b.can_use_tool(|_: PermissionRequest| async { Permission::allow() })
            .permission_prompt_tool("mcp__a__b")
            .permission_mode(PermissionMode::BypassPermissions)
    }));
    assert_eq!(
        complaints(|b| b.permission_mode(PermissionMode::Other("bypassPermissions".into()))),
        "permission_mode: bypassPermissions needs allow_dangerously_skip_permissions(true)"
    );
    assert_eq!(complaints(|b| b.permission_mode("")), "permission_mode: it is empty");
    expect![
        "permission_prompts: with `None` neither can_use_tool nor permission_prompt_tool is asked"
    ]
    .assert_eq(&complaints(|b| {
        b.permission_prompts(PermissionPrompts::None).permission_prompt_tool("mcp__a__b")
    }));
}

#[test]
fn tools_and_agents() {
    expect![[r#"
        tools: "Read,Write" has a comma or space, which would make it two
        tools: "Bash Edit" has a comma or space, which would make it two
        tools: it is empty"#]]
    .assert_eq(&complaints(|b| b.tools(["Read,Write", "Bash Edit", ""])));
    expect![[r#"
        agents: there is more than one "x"
        agents: "x" needs at least 1 turn
        agents: one has no name
        agents: the description of "y" is empty
        agents: the prompt of "y" is empty
        agents: one has no name
        agents: the name "-z" begins with `-`
        agents: the model of "-z" is empty"#]]
    .assert_eq(&complaints(|b| {
        let agent = || AgentDefinition::new("a", "b");
        b.agents([
            ("x", agent()),
            ("x", agent().max_turns(0)),
            ("", agent()),
            ("y", AgentDefinition::new(" ", "")),
            (" ", agent()),
            ("-z", agent().model(" ")),
        ])
    }));
    for alias in [("", "a"), ("a", "")] {
        assert_eq!(complaints(|b| b.tool_aliases([alias])), "tool_aliases: one is empty");
    }
}

#[test]
fn sessions() {
    expect![[r#"
        continue_conversation: resume says which conversation goes on
        session_id: a conversation that goes on keeps its id, unless fork_session makes it another one"#]]
    .assert_eq(&complaints(|b| b.continue_conversation(true).resume(UUID).session_id(OTHER_UUID)));
    expect![[r#"
        fork_session: there is nothing to fork without resume or continue_conversation
        resume_session_at: it needs resume"#]]
    .assert_eq(&complaints(|b| b.fork_session(true).resume_session_at(UUID)));
    expect![[r#"
        resume_drops_turn: it needs resume_session_at
        session_id: "y" is no UUID
        resume_drops_turn: "x" is no UUID"#]]
    .assert_eq(&complaints(|b| b.resume_drops_turn("x").session_id("y")));
    expect![[r#"
        resume: it is empty
        resume_session_at: "0b3e1f0a5d3c4b8e9d7a1c2d3e4f5a6b" is no UUID"#]]
    .assert_eq(&complaints(|b| b.resume("").resume_session_at("0b3e1f0a5d3c4b8e9d7a1c2d3e4f5a6b")));
    let wrong = [
        "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6",
        "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6g",
        "{0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b}",
        "",
    ];
    for id in wrong {
        assert_eq!(complaints(|b| b.session_id(id)), format!("session_id: {id:?} is no UUID"));
    }
}

#[test]
fn settings() {
    expect![[r#"
        settings: they are a JSON object
        sandbox: it is a JSON object"#]]
    .assert_eq(&complaints(|b| b.settings(json!([1])).sandbox(json!(true))));
    expect!["settings: the path is empty"]
        .assert_eq(&complaints(|b| b.settings(Settings::File("".into())).sandbox(json!({}))));
    expect!["settings: the path has a zero byte"]
        .assert_eq(&complaints(|b| b.settings(Settings::File("a\0".into()))));
    let skills =
        ["", " a", "a,b", "a(b)", "*", "a:*", "a *", "/a", "a\\\\b", "a\\", "a\nb", "ok", "a:b"];
    expect![[r#"
        skills: "" is no name of a skill
        skills: " a" is no name of a skill
        skills: "a,b" is no name of a skill
        skills: "a(b)" is no name of a skill
        skills: "*" is no name of a skill
        skills: "a:*" is no name of a skill
        skills: "a *" is no name of a skill
        skills: "/a" is no name of a skill
        skills: "a\\\\b" is no name of a skill
        skills: "a\\" is no name of a skill
        skills: "a\nb" is no name of a skill"#]]
    .assert_eq(&complaints(|b| b.skills(skills)));
    expect![[r#"
        mcp_config: it has a zero byte at offset 1
        plugins: it is empty
        add_dir: it is empty"#]]
    .assert_eq(&complaints(|b| b.plugins([""]).add_dir("").mcp_config("a\0")));
}

#[test]
fn extra_args() {
    expect![[r#"
        extra_arg: --model is set already
        extra_arg: --output-format is set already
        extra_arg: --verbose is set already
        extra_arg: with --print this would be no conversation
        extra_arg: --allowed-tools is set already
        extra_arg: --dangerously-skip-permissions is set already
        extra_arg: --system-prompt-file is set already
        extra_arg: "--brief" is no name of a flag; it is written without its dashes
        extra_arg: "" is no name of a flag; it is written without its dashes
        extra_arg: "a b" is no name of a flag; it is written without its dashes
        extra_arg: "a=b" is no name of a flag; it is written without its dashes
        extra_arg: the value of --name has a zero byte"#]]
    .assert_eq(&complaints(|b| {
        b.model("opus")
            .allowed_tools(["Read"])
            .permission_mode(PermissionMode::Plan)
            .extra_arg("model", Some("sonnet"))
            .extra_arg("output-format", Some("text"))
            .extra_arg("verbose", None)
            .extra_arg("print", None)
            .extra_arg("allowed-tools", Some("Bash"))
            .extra_arg("dangerously-skip-permissions", None)
            .extra_arg("system-prompt-file", Some("a"))
            .extra_arg("--brief", None)
            .extra_arg("", None)
            .extra_arg("a b", None)
            .extra_arg("a=b", None)
            .extra_arg("name", Some("\0"))
    }));
    // What is not set otherwise may be set this way.
    assert_eq!(
        complaints(|b| b
            .system_prompt(SystemPrompt::claude_code())
            .extra_arg("system-prompt-file", Some("a"))
            .extra_arg("effort", Some("low"))),
        "none"
    );
    // A value that is no text hides no flag.
    assert_eq!(
        complaints(|b| b.add_dir(OsStr::from_bytes(b"\xff")).extra_arg("add-dir", Some("a"))),
        "extra_arg: --add-dir is set already"
    );
}

#[test]
fn surroundings() {
    expect![[r#"
        env "": the name is empty
        env "A=B": the name has a `=`
        env "C\0": the name has a zero byte
        env "D": the value has a zero byte
        env "=": the name has a `=`
        env "E": name and value have 102401 bytes, more than the 102400 that a variable may have
        client_app: it is a line of text"#]]
    .assert_eq(&complaints(|b| {
        b.env("", "1")
            .env("A=B", "1")
            .env("C\0", "1")
            .env("D", "secret\0")
            .env_remove("=")
            .env("E", "x".repeat(102_400))
            .client_app("a\nb")
    }));
    expect![[r#"
        cli_path: it has a zero byte at offset 1
        cwd: it is empty"#]]
    .assert_eq(&complaints(|b| b.cwd("").cli_path("a\0b")));
    assert_eq!(complaints(|b| b.cli_path("./bin/claude").cwd("relative")), "none");
    for blank in ["", " "] {
        assert_eq!(complaints(|b| b.client_app(blank)), "client_app: it is a line of text");
    }
}

#[test]
fn dialogs_and_stores() {
    for kinds in [&[][..], &["a", " "]] {
        let refused =
            complaints(|b| b.on_user_dialog(kinds.iter().copied(), async |dialog| dialog.cancel()));
        assert_eq!(refused, "on_user_dialog: at least one kind is needed, none of them empty");
    }
    expect![[r#"
        session_store: without persist_session there is nothing to store
        session_store: the checkpoints of enable_file_checkpointing would stay on this machine"#]]
    .assert_eq(&complaints(|b| {
        let b = b.session_store(Arc::new(InMemoryStore::default())).persist_session(false);
        b.enable_file_checkpointing(true)
    }));
}

#[test]
fn all_at_once_and_in_a_stable_order() {
    let build = || {
        AgentOptions::builder()
            .fork_session(true)
            .env("A=B", "")
            .max_turns(0)
            .allowed_tools(["", "a,b"])
            .model("m")
            .fallback_model("m")
            .json_schema(json!(1))
            .append_system_prompt("\0")
            .build()
            .unwrap_err()
    };
    expect![[r#"
        append_system_prompt: it has a zero byte at offset 0
        fallback_model: it is the model itself, which has nothing to fall back to
        max_turns: at least 1 is needed
        json_schema: a schema is a JSON object
        allowed_tools: a rule is empty
        allowed_tools: "a,b" would be read as 2 rules: a and b
        fork_session: there is nothing to fork without resume or continue_conversation
        env "A=B": the name has a `=`"#]]
    .assert_eq(&build().to_string());
    assert_eq!(build(), build());
    assert_eq!(build().complaints().len(), 8);
}
