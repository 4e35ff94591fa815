//! All options at once: the order of arguments is a promise.

use std::path::Path;
use std::time::Duration;

use expect_test::expect;
use serde_json::json;

use super::harness::{OTHER_UUID, UUID, argv, lines, options, registry};
use crate::agent::hook::{HookContext, HookMatcher, HookOutput, PreToolUseInput};
use crate::agent::options::{
    AgentDefinition, AgentOptions, Effort, McpServer, PermissionPrompts, QuestionPreview,
    SettingSource, SystemPrompt, Thinking, ThinkingDisplay,
};
use crate::agent::permission::{Permission, PermissionMode, PermissionRequest};

fn everything() -> AgentOptions {
    options(|b| {
        b.effort(Effort::High)
            .thinking(Thinking::Enabled { budget_tokens: 1000 })
            .thinking_display(ThinkingDisplay::Omitted)
            .json_schema(json!({"type": "object"}))
            .extra_arg("brief", None)
            .initialize_field("workspaceTrust", true)
            .prompt_suggestions(true)
            .agent_progress_summaries(true)
            .managed_settings(json!({"disableAllHooks": true}))
            .project_config_root("/trusted")
            .debug_file("debug.log")
            .permission_prompts(PermissionPrompts::Host)
            .question_preview_format(QuestionPreview::Html)
            .tool_aliases([("Bash", "mcp__box__bash")])
            .on_user_dialog(["pick"], async |dialog| dialog.cancel())
            .per_task_stop_affordance(true)
            .plugins(["p"])
            .setting_sources([SettingSource::Project])
            .include_hook_events(true)
            .include_partial_messages(true)
            .forward_subagent_text(true)
            .strict_mcp_config(true)
            .mcp_config("servers.json")
            .mcp_server(registry("calc"))
            .mcp_server(McpServer::stdio("files", "files-server"))
            .add_dir("/more")
            .settings(Path::new("settings.json"))
            .resume(UUID)
            .fork_session(true)
            .session_id(OTHER_UUID)
            .resume_session_at(UUID)
            .resume_drops_turn(UUID)
            .persist_session(false)
            .title("All of it")
            .permission_mode(PermissionMode::Plan)
            .allow_dangerously_skip_permissions(true)
            .can_use_tool(|_: PermissionRequest| async { Permission::allow() })
            .hook(
                HookMatcher::pre_tool_use("Bash").timeout(Duration::from_secs(5)),
                |_: PreToolUseInput, _: HookContext| async { HookOutput::default() },
            )
            .hook(HookMatcher::stop(), async |_, _| HookOutput::default())
            .hook(HookMatcher::pre_tool_use("Edit|Write"), async |_, _| HookOutput::default())
            .agents([("reviewer", AgentDefinition::new("Reviews.", "Review."))])
            .agent("reviewer")
            .betas(["context-1m"])
            .model("sonnet")
            .fallback_model("haiku")
            .task_budget(9)
            .max_budget_usd(1.5)
            .max_turns(8)
            .disallowed_tools(["Write"])
            .allowed_tools(["Read"])
            .skills(["pdf"])
            .tools(["Read", "Write"])
            .system_prompt(SystemPrompt::custom("Be terse.").snapshot(false).append("Very."))
            .plan_mode_instructions("Plan well.")
            .verbatim_prompts(true)
            .enable_file_checkpointing(true)
            .client_app("tests/1")
            .env("A", "1")
    })
}

#[test]
fn the_order_of_arguments() {
    lines(
        expect![[r#"
            --output-format
            stream-json
            --verbose
            --system-prompt=Be terse.
            --append-system-prompt=Very.
            --tools=Read,Write
            --allowedTools=Read,Skill(pdf)
            --max-turns=8
            --max-budget-usd=1.5
            --disallowedTools=Write
            --task-budget=9
            --model=sonnet
            --fallback-model=haiku
            --agent=reviewer
            --betas=context-1m
            --permission-prompt-tool=stdio
            --permission-prompts=host
            --permission-mode=plan
            --allow-dangerously-skip-permissions
            --resume=0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b
            --session-id=ffffffff-0000-4000-8000-000000000001
            --settings=settings.json
            --managed-settings={"disableAllHooks":true}
            --project-config-root=/trusted
            --add-dir=/more
            --mcp-config={"mcpServers":{"calc":{"type":"sdk","name":"calc"},"files":{"type":"stdio","command":"files-server"}}}
            --mcp-config=servers.json
            --include-partial-messages
            --include-hook-events
            --strict-mcp-config
            --fork-session
            --resume-session-at=0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b
            --resume-drops-turn=0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b
            --no-session-persistence
            --setting-sources=project
            --plugin-dir=p
            --debug-file=debug.log
            --brief
            --max-thinking-tokens=1000
            --thinking-display=omitted
            --effort=high
            --json-schema={"type":"object"}
            --input-format
            stream-json
        "#]],
        argv(&everything()),
    );
}

#[test]
fn the_order_of_setters_changes_nothing() {
    let again = everything().to_builder().max_turns(8).model("sonnet").build().unwrap();
    assert_eq!(argv(&again), argv(&everything()));
    assert_eq!(again.initialize().to_string(), everything().initialize().to_string());
}

#[test]
fn the_initialize_request() {
    expect![[r#"
        {
          "hooks": {
            "PreToolUse": [
              {
                "matcher": "Bash",
                "hookCallbackIds": [
                  "hook_0"
                ],
                "timeout": 5
              },
              {
                "matcher": "Edit|Write",
                "hookCallbackIds": [
                  "hook_2"
                ]
              }
            ],
            "Stop": [
              {
                "hookCallbackIds": [
                  "hook_1"
                ]
              }
            ]
          },
          "agents": {
            "reviewer": {
              "description": "Reviews.",
              "prompt": "Review."
            }
          },
          "systemPromptSnapshot": false,
          "planModeInstructions": "Plan well.",
          "skills": [
            "pdf"
          ],
          "title": "All of it",
          "forwardSubagentText": true,
          "promptSuggestions": true,
          "agentProgressSummaries": true,
          "toolAliases": {
            "Bash": "mcp__box__bash"
          },
          "supportedDialogKinds": [
            "pick"
          ],
          "perTaskStopAffordance": true,
          "workspaceTrust": true
        }"#]]
    .assert_eq(&format!("{:#}", everything().initialize()));
}

#[test]
fn debug_shows_no_callbacks_and_no_secrets() {
    let options = everything()
        .to_builder()
        .env("TOKEN", "secret")
        .mcp_server(McpServer::http("web", "https://a.example").header("X", "secret"));
    let options = options.settings(json!({"env": {"KEY": "secret"}})).build().unwrap();
    let shown = format!("{options:?}");
    assert!(!shown.contains("secret"), "{shown}");
    assert!(shown.contains("TOKEN") && shown.contains("can_use_tool: true"), "{shown}");
}
