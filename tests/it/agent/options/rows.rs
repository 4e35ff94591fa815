//! Sets of options. How the official SDKs say them is in `rows.json`, where they can.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::options::{
    AgentDefinition, Effort, InlineSettings, McpServer, Memory, PermissionPrompts, Plugin,
    QuestionPreview, Sandbox, SettingSource, SystemPrompt, Thinking, ThinkingDisplay,
};
use toolwright::agent::{
    AgentOptionsBuilder, DialogRequest, ElicitationRequest, HookOutput, Permission, PermissionMode,
    PermissionRequest,
};

use crate::agent::calc;

const UUID: &str = "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b";
const OTHER: &str = "ffffffff-0000-4000-8000-000000000001";

/// A name in `rows.json`, and the same options here.
pub(super) type Row = (&'static str, fn(AgentOptionsBuilder) -> AgentOptionsBuilder);

async fn allow(_: PermissionRequest) -> Permission {
    Permission::allow()
}

fn worker() -> AgentDefinition {
    AgentDefinition::new("Works.", "Work.")
        .disallowed_tools(["Write"])
        .skills(["pdf"])
        .memory(Memory::Project)
        .mcp_servers(["calc"])
        .initial_prompt("Go.")
        .max_turns(5)
        .background(true)
        .effort(Effort::Low)
        .permission_mode(PermissionMode::Plan)
}

pub(super) const ROWS: &[Row] = &[
    ("nothing", |b| b),
    ("prompt", |b| b.system_prompt("Be terse.")),
    ("preset", |b| b.system_prompt(SystemPrompt::claude_code())),
    ("preset and more", |b| b.system_prompt(SystemPrompt::claude_code().append("More."))),
    ("preset without sections", |b| {
        b.system_prompt(SystemPrompt::claude_code().exclude_dynamic_sections(true))
    }),
    ("preset without snapshot", |b| b.system_prompt(SystemPrompt::claude_code().snapshot(false))),
    ("custom prompt", |b| b.system_prompt(SystemPrompt::custom("Be terse.").snapshot(true))),
    ("prompt file", |b| b.system_prompt(SystemPrompt::file("/none/prompt.md"))),
    ("prompt in parts", |b| {
        b.system_prompt(SystemPrompt::parts(["One.", SystemPrompt::DYNAMIC_BOUNDARY, "Two."]))
    }),
    ("plan mode", |b| b.plan_mode_instructions("Plan well.")),
    ("verbatim", |b| b.verbatim_prompts(true)),
    ("tools", |b| b.tools(["Read", "Grep"])),
    ("no tools", |b| b.no_tools()),
    ("all tools", |b| b.tools(["default"])),
    ("allowed", |b| b.allowed_tools(["Read", "Bash(git log *)"])),
    ("disallowed", |b| b.disallowed_tools(["Write", "Edit"])),
    ("aliases", |b| b.tool_aliases([("Bash", "mcp__box__bash")])),
    ("question previews", |b| b.question_preview_format(QuestionPreview::Html)),
    ("turns", |b| b.max_turns(3)),
    ("budget", |b| b.max_budget_usd(1.5)),
    ("task budget", |b| b.task_budget(1000)),
    ("models", |b| b.model("opus").fallback_model("haiku")),
    ("agent", |b| b.agent("reviewer")),
    ("betas", |b| b.betas(["context-1m-2025-08-07", "other"])),
    ("adaptive thinking", |b| b.thinking(Thinking::Adaptive)),
    ("thinking budget", |b| b.thinking(Thinking::Enabled { budget_tokens: 2000 })),
    ("no thinking", |b| b.thinking(Thinking::Disabled)),
    ("thinking shown", |b| {
        b.thinking(Thinking::Adaptive).thinking_display(ThinkingDisplay::Summarized)
    }),
    ("thinking tokens", |b| b.max_thinking_tokens(1024)),
    ("effort", |b| b.effort(Effort::XHigh)),
    ("schema", |b| {
        b.json_schema(json!({"type": "object", "properties": {"a": {"type": "integer"}}}))
    }),
    ("mode", |b| b.permission_mode(PermissionMode::AcceptEdits)),
    ("mode without questions", |b| {
        b.permission_mode(PermissionMode::BypassPermissions)
            .allow_dangerously_skip_permissions(true)
    }),
    ("permission tool", |b| b.permission_prompt_tool("mcp__a__b")),
    ("permission callback", |b| b.can_use_tool(allow)),
    ("nobody permits", |b| b.permission_prompts(PermissionPrompts::None)),
    ("this program permits", |b| b.permission_prompts(PermissionPrompts::Host).can_use_tool(allow)),
    ("continue", |b| b.continue_conversation(true)),
    ("resume", |b| b.resume(UUID)),
    ("fork", |b| b.resume(UUID).fork_session(true).session_id(OTHER)),
    ("resume earlier", |b| b.resume(UUID).resume_session_at(OTHER)),
    ("resume without a turn", |b| b.resume(UUID).resume_session_at(OTHER).resume_drops_turn(UUID)),
    ("session id", |b| b.session_id(UUID)),
    ("no transcript", |b| b.persist_session(false)),
    ("title", |b| b.title("Adding")),
    ("settings", |b| b.settings(InlineSettings::new().model("opus"))),
    ("settings file", |b| b.settings(Path::new("/none/settings.json"))),
    ("sandbox", |b| b.sandbox(Sandbox::new().allow_domains(["a.example"]))),
    ("sandbox of JSON", |b| b.sandbox(json!({"enabled": true}))),
    ("two sandboxes", |b| {
        let settings = json!({"sandbox": {"filesystem": {"denyRead": ["/a"]}}});
        b.settings(settings).sandbox(Sandbox::new().deny_read(["/b"]))
    }),
    ("settings and sandbox", |b| {
        b.settings(json!({"model": "opus"})).sandbox(json!({"enabled": false}))
    }),
    ("managed settings", |b| b.managed_settings(json!({"permissions": {"deny": ["WebFetch"]}}))),
    ("folders", |b| b.add_dir("/a").add_dir("/b c")),
    ("project elsewhere", |b| b.project_config_root("/trusted")),
    ("working folder", |b| b.cwd("/tmp")),
    ("program as server", |b| {
        b.mcp_server(
            McpServer::stdio("files", "files-server").args(["--root", "/srv"]).env("A", "1"),
        )
    }),
    ("servers behind URLs", |b| {
        b.mcp_server(McpServer::http("search", "https://a.example/mcp").header("X", "1"))
            .mcp_server(McpServer::sse("old", "https://b.example/sse"))
    }),
    ("server in process", |b| b.mcp_server(calc::registry())),
    ("server file", |b| b.mcp_config("/none/servers.json")),
    ("strict servers", |b| b.strict_mcp_config(true)),
    ("partial messages", |b| b.include_partial_messages(true)),
    ("hook events", |b| b.include_hook_events(true)),
    ("text of subagents", |b| b.forward_subagent_text(true)),
    ("suggestions", |b| b.prompt_suggestions(true)),
    ("summaries", |b| b.agent_progress_summaries(true)),
    ("each task stops", |b| b.per_task_stop_affordance(true)),
    ("no sources", |b| b.setting_sources([])),
    ("sources", |b| b.setting_sources([SettingSource::User, SettingSource::Project])),
    ("plugins", |b| b.plugins(["/p", "/q"])),
    ("plugin without servers", |b| b.plugins([Plugin::local("/p").skip_mcp_discovery(true)])),
    ("all skills", |b| b.all_skills()),
    ("skills", |b| b.skills(["pdf", "my:docx"]).setting_sources([SettingSource::User])),
    ("other flags", |b| b.extra_arg("brief", None).extra_arg("name", Some("value"))),
    ("subagent", |b| {
        b.agents([(
            "reviewer",
            AgentDefinition::new("Reviews.", "Review.").tools(["Read"]).model("haiku"),
        )])
    }),
    ("all of a subagent", |b| b.agents([("worker", worker())])),
    ("hooks", |b| {
        b.hook(HookMatcher::pre_tool_use("Bash").timeout(Duration::from_secs(5)), async |_, _| {
            HookOutput::default()
        })
        .hook(HookMatcher::stop(), async |_, _| HookOutput::default())
    }),
    ("elicitation", |b| b.on_elicitation(async |question: ElicitationRequest| question.decline())),
    ("dialogs", |b| b.on_user_dialog(["pick"], async |dialog: DialogRequest| dialog.cancel())),
    ("checkpoints", |b| b.enable_file_checkpointing(true)),
    ("environment", |b| b.env("A", "1")),
    ("name of the application", |b| b.client_app("my-app/1")),
    ("debug", |b| b.debug(true)),
    ("debug file", |b| b.debug_file("/tmp/debug.log")),
    ("many at once", |b| {
        b.system_prompt("Be terse.")
            .model("sonnet")
            .tools(["Read", "Write"])
            .allowed_tools(["Read"])
            .disallowed_tools(["Write"])
            .max_turns(8)
            .max_budget_usd(0.5)
            .permission_mode(PermissionMode::Plan)
            .can_use_tool(allow)
            .settings(json!({"outputStyle": "Explanatory"}))
            .add_dir("/more")
            .setting_sources([SettingSource::Local])
            .effort(Effort::High)
            .include_partial_messages(true)
    }),
];
