//! What each option is in the `initialize` request.

use expect_test::expect;
use serde_json::{Value, json};

use super::harness::{complaints, options, registry};
use crate::agent::hook::{HookMatcher, HookOutput, OnFailure};
use crate::agent::options::{AgentDefinition, AgentOptionsBuilder, Effort, Memory, SystemPrompt};
use crate::agent::permission::PermissionMode;

fn initialize(f: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder) -> Value {
    options(f).initialize()
}

#[test]
fn nothing_said() {
    assert_eq!(initialize(|b| b), json!({}));
}

#[test]
fn in_process_servers_are_arguments_only() {
    assert_eq!(initialize(|b| b.mcp_server(registry("calc"))), json!({}));
}

#[test]
fn system_prompts() {
    let own = SystemPrompt::claude_code().exclude_dynamic_sections(true).snapshot(true);
    assert_eq!(
        initialize(|b| b.system_prompt(own)),
        json!({"systemPromptSnapshot": true, "excludeDynamicSections": true})
    );
    assert_eq!(
        initialize(|b| b.plan_mode_instructions("Plan.")),
        json!({"planModeInstructions": "Plan."})
    );
}

#[test]
fn skills() {
    assert_eq!(initialize(|b| b.skills(["pdf"])), json!({"skills": ["pdf"]}));
    assert_eq!(initialize(|b| b.all_skills()), json!({}));
}

#[test]
fn hooks_have_the_ids_of_their_places() {
    let body = initialize(|b| {
        b.hook(HookMatcher::pre_tool_use("Bash"), async |_, _| HookOutput::default())
            .hook(HookMatcher::raw("MoonPhase", None), async |_, _| HookOutput::default())
            .hook(HookMatcher::pre_tool_use("*").on_failure(OnFailure::Block), async |_, _| {
                HookOutput::default()
            })
    });
    expect![[r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["hook_0"]},{"matcher":"*","hookCallbackIds":["hook_2"],"onFailure":"block"}],"MoonPhase":[{"hookCallbackIds":["hook_1"]}]}}"#]].assert_eq(&body.to_string());
}

#[test]
fn agents() {
    let small = AgentDefinition::new("Reviews.", "Review.");
    let large = AgentDefinition::new("Writes.", "Write.")
        .tools(["Read"])
        .tools(["Write"])
        .disallowed_tools(["Bash"])
        .model("haiku")
        .mcp_servers(["calc"])
        .skills(["pdf"])
        .initial_prompt("Begin.")
        .max_turns(3)
        .background(true)
        .memory(Memory::Project)
        .effort(Effort::XHigh)
        .permission_mode(PermissionMode::AcceptEdits)
        .field("omitClaudeMd", true)
        .field("effort", 3);
    let bare = AgentDefinition::new("Talks.", "Talk.").tools([""; 0]);
    let body = initialize(|b| {
        b.agents([("reviewer", small)])
            .agents([("writer".to_owned(), large), ("talker".to_owned(), bare)])
    });
    expect![[r#"
        {
          "agents": {
            "reviewer": {
              "description": "Reviews.",
              "prompt": "Review."
            },
            "writer": {
              "description": "Writes.",
              "prompt": "Write.",
              "tools": [
                "Read",
                "Write"
              ],
              "disallowedTools": [
                "Bash"
              ],
              "model": "haiku",
              "mcpServers": [
                "calc"
              ],
              "skills": [
                "pdf"
              ],
              "initialPrompt": "Begin.",
              "maxTurns": 3,
              "background": true,
              "memory": "project",
              "effort": 3,
              "permissionMode": "acceptEdits",
              "omitClaudeMd": true
            },
            "talker": {
              "description": "Talks.",
              "prompt": "Talk.",
              "tools": []
            }
          }
        }"#]]
    .assert_eq(&format!("{body:#}"));
}

#[test]
fn fields_of_ones_own() {
    assert_eq!(
        initialize(|b| b.title("T").initialize_field("toolAliases", json!({"a": "b"}))),
        json!({"title": "T", "toolAliases": {"a": "b"}})
    );
    expect![[r#"
        initialize_field: "title" is set already
        initialize_field: "subtype" is set already
        initialize_field: "sdkMcpServers" is set already
        initialize_field: "systemPrompt" is set already
        initialize_field: "disallowedTools" is set already
        initialize_field: "settings" is set already
        initialize_field: "managedSettings" is set already
        initialize_field: "a" is set already
        initialize_field: one has no name"#]]
    .assert_eq(&complaints(|b| {
        b.title("T")
            .mcp_server(registry("calc"))
            .disallowed_tools(["Bash"])
            .settings(json!({"a": 1}))
            .managed_settings(json!({"a": 1}))
            .initialize_field("title", "U")
            .initialize_field("subtype", "x")
            .initialize_field("sdkMcpServers", json!([]))
            .initialize_field("systemPrompt", json!(["a"]))
            .initialize_field("disallowedTools", json!(["Read"]))
            .initialize_field("settings", json!({}))
            .initialize_field("managedSettings", json!({}))
            .initialize_field("a", 1)
            .initialize_field("a", 2)
            .initialize_field("", 2)
    }));
}
