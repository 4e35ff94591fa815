//! Requests that ask about the session. No file is read for an answer.

use std::path::Path;

use serde_json::{Value, json};

use super::answer::Answer;
use super::cli::Cli;
use super::json::str;
use super::messages;
use super::setup::VERSION;
use super::usage;

impl Cli {
    /// The answer, unless the request is of another kind.
    pub(super) fn report(&self, subtype: &str, request: &Value) -> Option<Answer> {
        Some(Answer::with(match subtype {
            "get_context_usage" => self.context_usage(),
            "get_usage" => self.usage(),
            "get_session_cost" => json!({"text": self.cost()}),
            "get_settings" => self.settings(),
            "get_hooks_listing" => json!({"events": [], "hooks": []}),
            "list_permission_rules" => json!({"state": self.permission_rules()}),
            "list_models" => json!({"models": messages::models()}),
            "reload_plugins" => json!({
                "commands": [], "agents": [], "plugins": [],
                "mcpServers": self.server_status(), "error_count": 0,
            }),
            "reload_skills" => json!({"skills": []}),
            "reload_output_styles" => json!({"available_output_styles": messages::STYLES}),
            "generate_session_title" => json!({"title": null}),
            "side_question" => json!({"response": null, "synthetic": false}),
            "export_conversation" => self.export(),
            "get_plan" => json!({"exists": false}),
            "get_status" => json!({"sections": self.sections()}),
            "get_binary_version" => json!({"version": VERSION}),
            "file_suggestions" => json!({"suggestions": [], "cwd": self.cwd()}),
            "read_file" => {
                return Some(Answer::refusal(format!("read denied: {}", str(&request["path"]))));
            }
            "get_task_output" => {
                let error = "no shell or Monitor task with that task_id in this session";
                return Some(Answer::refusal(format!("{subtype}: {error}")));
            }
            "register_repo_root" => match str(&request["directory"]) {
                folder if Path::new(folder).is_dir() => json!({"directory": folder}),
                _ => {
                    let error = "target path could not be resolved";
                    return Some(Answer::refusal(format!("{subtype}: {error}")));
                }
            },
            _ => return None,
        }))
    }

    fn context_usage(&self) -> Value {
        const WINDOW: u64 = 200_000;
        let state = self.state();
        let used: u64 = state.tokens.values().map(|(input, output)| input + output).sum();
        let free = WINDOW.saturating_sub(used);
        json!({
            "categories": [
                {"id": "messages", "name": "Messages", "tokens": used, "kind": "used"},
                {"id": "free_space", "name": "Free space", "tokens": free, "kind": "free"},
            ],
            "totalTokens": used, "maxTokens": WINDOW, "rawMaxTokens": WINDOW,
            "percentage": used * 100 / WINDOW, "model": state.model,
            "memoryFiles": [], "mcpTools": [], "agents": [], "isAutoCompactEnabled": true,
        })
    }

    fn usage(&self) -> Value {
        let tokens = self.state().tokens.clone();
        json!({
            "session": {
                "total_cost_usd": usage::total_cost(&tokens),
                "total_api_duration_ms": 0, "total_duration_ms": 0,
                "total_lines_added": 0, "total_lines_removed": 0,
                "model_usage": usage::by_model(&tokens),
            },
            "subscription_type": null, "rate_limits_available": false, "rate_limits": null,
            "behaviors": null,
        })
    }

    fn cost(&self) -> String {
        let tokens = self.state().tokens.clone();
        let mut text = format!("Estimated cost: ${:.4}", usage::total_cost(&tokens));
        for (model, (input, output)) in tokens {
            text.push_str(&format!("\n{model}: {input} input, {output} output"));
        }
        text
    }

    fn settings(&self) -> Value {
        let (settings, model) = {
            let state = self.state();
            (state.settings.clone(), state.model.clone())
        };
        let source = json!({"source": "flagSettings", "settings": settings});
        let has_any = settings.as_object().is_some_and(|settings| !settings.is_empty());
        let sources: Vec<_> = has_any.then_some(source).into_iter().collect();
        json!({
            "effective": settings, "sources": sources,
            "applied": {"model": model, "effort": "medium"},
        })
    }

    fn permission_rules(&self) -> Value {
        let rules = &self.state().rules;
        json!({
            "rules": rules.report(), "workspaceDirectories": rules.report_folders(),
            "originalCwd": self.setup.cwd, "managedOnly": false,
        })
    }

    /// Prompts and texts in their order, as far as they were said in the main conversation.
    fn export(&self) -> Value {
        let text = self.recorder.conversation();
        json!({"text": text, "default_filename": "conversation.txt"})
    }

    fn sections(&self) -> Value {
        let (title, model) = {
            let state = self.state();
            (state.title.clone(), state.model.clone())
        };
        let row = |label: &str, value: &str| json!({"label": label, "value": value});
        let mut rows = vec![row("Version", VERSION)];
        rows.extend(title.map(|title| row("Session name", &title)));
        rows.push(row("Session ID", &self.setup.session_id));
        rows.push(row("cwd", &self.cwd()));
        json!([
            {"title": "Session", "rows": rows},
            {"title": "Environment", "rows": [row("Model", &model)]},
        ])
    }
}
