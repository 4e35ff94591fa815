//! Each request that the agent can send, with a true answer.

use std::pin::Pin;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use toolwright::agent::options::{McpServer, Plugin, ThinkingDisplay};
use toolwright::agent::requests::{McpCall, ReadFile, ReloadPlugins, SettingsTarget};
use toolwright::agent::{ControlError, Handle, PermissionMode};
use toolwright::json;

/// What a request gave, as it shows itself.
pub(super) type Outcome = Result<String, ControlError>;

/// A request of the agent's.
#[derive(Clone)]
pub(super) struct Ours {
    pub(super) subtype: &'static str,
    /// The `response` of a true answer.
    pub(super) answer: Value,
    pub(super) ask: fn(Handle) -> Pin<Box<dyn Future<Output = Outcome> + Send>>,
}

impl Ours {
    /// It makes nothing of the answer, or gives it as it came.
    pub(super) fn drops_answer(&self) -> bool {
        DROPPING.contains(&self.subtype)
    }
}

/// Requests to which any answer is good.
const DROPPING: [&str; 12] = [
    "set_permission_mode",
    "set_model",
    "set_max_thinking_tokens",
    "rename_session",
    "no such",
    "mcp_reconnect",
    "mcp_toggle",
    "stop_task",
    "seed_read_state",
    "register_repo_root",
    "apply_flag_settings",
    "update_settings",
];

macro_rules! all {
    ($($subtype:literal $answer:tt => |$agent:ident| $ask:expr;)*) => {
        vec![$(Ours {
            subtype: $subtype,
            answer: json!($answer),
            ask: |$agent| Box::pin(async move { Ok(format!("{:#?}", $ask.await?)) }),
        }),*]
    };
}

pub(super) fn all() -> Vec<Ours> {
    let mut all = about_the_session();
    all.extend(about_its_surroundings());
    all
}

fn about_the_session() -> Vec<Ours> {
    all! {
        "interrupt" {"still_queued": ["u"], "cancelled": ["v", "w"]} => |agent| agent.interrupt();
        "interrupt" {"still_queued": ["u"], "cancelled": ["v"]} => |agent| agent.interrupt_all();
        "cancel_async_message" {"cancelled": true} => |agent| agent.cancel_async_message("u");
        "side_question" {"response": "r", "synthetic": true} => |agent| agent.ask_side_question("?");
        "set_permission_mode" {"mode": "default"}
            => |agent| agent.set_permission_mode(PermissionMode::Plan);
        "list_permission_rules" {"state": {
            "rules": [{"behavior": "allow", "source": "cliArg", "rule": "Bash", "description": {"a": [1]}, "editability": "session", "notInEffect": true}],
            "workspaceDirectories": [{"path": "/a", "source": "cliArg"}],
            "originalCwd": "/b", "managedOnly": true,
            "errors": [{"file": "/f", "path": "p", "message": "m"}], "withheld": true
        }} => |agent| agent.list_permission_rules();
        "set_model" {} => |agent| agent.set_model(Some("opus"));
        "list_models" {"models": [
            {"value": "default", "resolvedModel": "m", "displayName": "d", "description": "e", "supportsEffort": true, "supportedEffortLevels": ["low", "high"], "supportsAdaptiveThinking": true, "supportsFastMode": true, "supportsAutoMode": true},
            {"value": "opus"}
        ]} => |agent| agent.list_models();
        "set_max_thinking_tokens" {}
            => |agent| agent.set_max_thinking_tokens(Some(7), Some(ThinkingDisplay::Omitted));
        "get_usage" {
            "session": {"total_cost_usd": 0.5, "total_api_duration_ms": 1, "total_duration_ms": 2, "total_lines_added": 3, "total_lines_removed": 4, "model_usage": {"opus": {"inputTokens": 5, "outputTokens": 6, "costUSD": 0.25, "contextWindow": 7, "canonicalModel": "c", "provider": "p"}}},
            "subscription_type": "max", "rate_limits_available": true,
            "rate_limits": {"five_hour": {"utilization": 1.5, "resets_at": "t"}, "seven_day": {"utilization": 2.5, "resets_at": "t"}, "seven_day_oauth_apps": {"resets_at": "t"}, "seven_day_opus": {"utilization": 3.5}, "seven_day_sonnet": {}},
            "behaviors": {"a": [1]}
        } => |agent| agent.get_usage(true);
        "get_session_cost" {"text": "t"} => |agent| agent.get_session_cost();
        "get_context_usage" {
            "model": "m", "totalTokens": 1, "maxTokens": 2, "rawMaxTokens": 3, "percentage": 4.5,
            "over_limit": {"tokens_over": 5, "kind": "hard_limit"},
            "categories": [{"name": "n", "tokens": 6, "kind": "used"}, {"name": "o", "tokens": 7, "kind": "free"}],
            "mcpTools": [{"name": "n", "serverName": "s", "tokens": 8}],
            "memoryFiles": [{"path": "/p", "type": "Project", "tokens": 9}],
            "agents": [{"agentType": "a", "source": "s", "tokens": 10}],
            "skills": [{"name": "n", "source": "s", "pluginName": "p", "tokens": 11}]
        } => |agent| agent.get_context_usage();
        "get_context_usage" {"model": "m", "total_tokens": 1, "percentage": 4.5}
            => |agent| agent.estimate_context_usage();
        "rename_session" {} => |agent| agent.rename_session("t");
        "generate_session_title" {"title": "t"} => |agent| agent.generate_session_title("d", true);
        "set_cwd" {"status": "ok", "reason": "r", "message": "m"}
            => |agent| agent.set_cwd("/a", true);
        "export_conversation" {"text": "t", "default_filename": "f"}
            => |agent| agent.export_conversation();
        "get_plan" {"exists": true, "content": "c", "path": "/p"} => |agent| agent.get_plan();
        "get_status" {"sections": [{"title": "t", "rows": [{"label": "l", "value": "v"}, {"label": "m", "value": "w"}]}]}
            => |agent| agent.get_status();
        "get_binary_version" {"version": "2.1.328", "buildTime": "t"}
            => |agent| agent.get_binary_version();
        "no such" {"a": {"b": [1, null]}} => |agent| agent.request("no such", json!({"a": 1}));
    }
}

fn about_its_surroundings() -> Vec<Ours> {
    all! {
        "mcp_status" {"mcpServers": [
            {"name": "n", "status": "connected", "error": "e", "source": "sdk", "serverInfo": {"name": "n"}, "config": {"type": "sdk"}, "scope": "s", "tools": [{"name": "t"}]},
            {"name": "o", "status": "failed"}
        ]} => |agent| agent.mcp_status();
        "mcp_set_servers" {"added": ["a"], "removed": ["b", "c"], "errors": {"d": "e", "f": "g"}}
            => |agent| agent.set_mcp_servers([McpServer::http("c", "https://d.example/")]);
        "mcp_reconnect" {} => |agent| agent.reconnect_mcp_server("n");
        "mcp_toggle" {} => |agent| agent.toggle_mcp_server("n", true);
        "set_mcp_permission_mode_override" {"warning": "w"}
            => |agent| agent.set_mcp_permission_mode_override("n", Some(PermissionMode::Auto));
        "mcp_read_resource" {"contents": [{"uri": "ui://a", "mimeType": "m", "text": "t", "blob": "b", "_meta": {"a": 1}}]}
            => |agent| agent.mcp_read_resource("n", "ui://a");
        "mcp_call" {"content": [{"type": "text", "text": "t"}], "structuredContent": {"a": 1}, "_meta": {"b": 2}, "staging": {"ok": true, "error_code": "c", "detail": "d"}}
            => |agent| agent.mcp_call(McpCall::new("t", json!({})).timeout(Duration::from_secs(1)));
        "stop_task" {} => |agent| agent.stop_task("t");
        "background_tasks" {"backgrounded": false} => |agent| agent.background_tasks(Some("t"));
        "get_task_output" {"output": "o", "total_bytes": 7, "truncated": true}
            => |agent| agent.get_task_output("t");
        "read_file" {"contents": "aMOp", "absPath": "/a", "truncated": true, "encoding": "base64", "lossy": true}
            => |agent| async move {
                let read = agent.read_file(ReadFile::new("a").base64()).await?;
                let _ = read.bytes();
                Ok::<_, ControlError>(read)
            };
        "rewind_files" {"canRewind": true, "error": "e", "filesChanged": ["/a", "/b"], "insertions": 3, "deletions": 4}
            => |agent| agent.rewind_files("u", true);
        "seed_read_state" {} => |agent| agent.seed_read_state("/a", SystemTime::UNIX_EPOCH);
        "file_suggestions" {"suggestions": [{"path": "a"}], "cwd": "/b"}
            => |agent| agent.file_suggestions("a");
        "reload_plugins" {
            "commands": [{"name": "n", "description": "d", "argumentHint": "h", "aliases": ["a"], "builtin": true}],
            "agents": [{"name": "n", "description": "d", "model": "m"}],
            "plugins": [{"name": "n", "path": "/p", "source": "s", "version": "1"}],
            "mcpServers": [{"name": "n", "status": "pending"}],
            "error_count": 1, "held": true,
            "cache_impact": {"mcp_servers_added": ["a"], "mcp_servers_removed": ["b"], "lsp_tool_change": "adds"}
        } => |agent| agent.reload_plugins(ReloadPlugins::default().add_plugins([Plugin::local("/p")]));
        "reload_skills" {"skills": [{"name": "n", "description": "d"}]}
            => |agent| agent.reload_skills();
        "reload_output_styles" {"available_output_styles": ["default", "s"]}
            => |agent| agent.reload_output_styles();
        "register_repo_root" {} => |agent| agent.register_repo_root("/a");
        "get_settings" {
            "effective": {"model": "opus"},
            "sources": [{"source": "flagSettings", "settings": {"model": "opus"}}],
            "applied": {"model": "m", "effort": "high"},
            "errors": [{"file": "/f", "path": "p", "message": "m"}]
        } => |agent| agent.get_settings();
        "apply_flag_settings" {} => |agent| agent.apply_flag_settings(json!({"model": "opus"}));
        "update_settings" {} => |agent| agent.update_settings(SettingsTarget::Local, json!({}));
        "get_hooks_listing" {
            "hooks": [{"event": "Stop", "matcher": "m", "source": "s", "pluginName": "p", "type": "command", "commandText": "c", "timeout": 1.5, "disabled": true}],
            "errors": [{"file": "/f", "path": "p", "message": "m"}]
        } => |agent| agent.get_hooks_listing();
    }
}
