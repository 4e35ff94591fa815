//! Messages that do not belong to an answer of the model. The real ones have more members; here are
//! those that matter to this SDK.

use serde_json::{Value, json};

use super::cli::Cli;
use super::hook_calls::{Notices, Outputs, informational};
use super::json::merge;
use super::result::End;
use super::setup::{DEFAULT_MODEL, States, VERSION};
use super::turn_state::TurnState;

/// The output styles that there are.
pub(super) const STYLES: [&str; 1] = ["default"];

impl Cli {
    /// Sends `system/init`, which begins each turn.
    pub(super) fn say_init(&self) {
        let tools = self.tool_names();
        let prompts = self.with_turn(|turn| turn.all_prompts()).unwrap_or_default();
        let (servers, model, mode, folders) = {
            let state = self.state();
            let servers = state.servers.iter().map(|server| {
                let mut shown = json!({"name": server.name, "status": server.status});
                if server.is_ours {
                    shown["source"] = "sdk".into();
                }
                shown
            });
            let folders: Vec<_> = state.rules.folders().map(str::to_owned).collect();
            (servers.collect::<Vec<_>>(), state.model.clone(), state.mode.clone(), folders)
        };
        self.say_message(json!({
            "type": "system", "subtype": "init", "cwd": self.cwd(), "tools": tools,
            "mcp_servers": servers, "model": model, "permissionMode": mode,
            "slash_commands": [], "apiKeySource": "none", "claude_code_version": VERSION,
            "output_style": "default", "agents": [], "skills": [], "plugins": [],
            "capabilities": [
                "interrupt_receipt_v1", "interrupt_cancel_queued_v1", "sdk_mcp_tools_list_changed",
            ],
            "original_cwd": self.setup.cwd, "additional_directories": folders,
            "user_message_uuids": prompts,
        }));
    }

    /// Reports a change of the CLI's state, if the environment asks for it.
    pub(super) fn report_state(&self, report: &'static str) {
        if std::mem::replace(&mut self.state().reported, report) == report {
            return;
        }
        let mut message =
            json!({"type": "system", "subtype": "session_state_changed", "state": report});
        match self.setup.states {
            States::Nobody => return,
            States::Sdk => message["sdk_host_only"] = true.into(),
            States::Everybody => {}
        }
        self.say_message(message);
    }

    /// Sends a `user` message that the CLI adds to the conversation. Each one counts as a turn in
    /// the result.
    pub(super) fn say_user(&self, content: Value, others: Value) {
        let mut message = json!({
            "type": "user",
            "message": {"role": "user", "content": content},
            "parent_tool_use_id": null,
        });
        merge(&mut message, others);
        self.with_turn(|turn| turn.added += u64::from(turn.is_main()));
        self.say_message(message);
    }

    /// Tells the model something that no user has written.
    pub(super) fn say_synthetic_user(&self, text: &str) {
        self.say_user(json!([{"type": "text", "text": text}]), json!({"isSynthetic": true}));
    }

    /// A hook blocks the prompt, whose text may be shown, or gives no verdict.
    pub(super) fn say_blocked(&self, text: &str, reason: &str, hooks: &Outputs) -> End {
        let mut content = format!("UserPromptSubmit operation blocked by hook:\n{reason}");
        let outcome = match hooks.no_verdict() {
            Some(kind) => {
                json!({"kind": "no_verdict", "no_verdict_kind": kind, "prompt_kept": false})
            }
            None => {
                if !hooks.hides_prompt() {
                    content.push_str(&format!("\n\nOriginal prompt: {text}"));
                }
                json!({"kind": "blocked_by_hook", "prompt_kept": false, "reason": reason})
            }
        };
        self.say_prevented(content, outcome)
    }

    /// A hook ends the turn before the model is asked.
    pub(super) fn say_stopped(&self, reason: &str) -> End {
        let content = format!("Operation stopped by hook: {reason}");
        let outcome = json!({"kind": "stopped_by_hook", "prompt_kept": true, "reason": reason});
        self.say_prevented(content, outcome)
    }

    fn say_prevented(&self, content: String, outcome: Value) -> End {
        self.say_instead(
            content,
            json!({"prevent_continuation": true, "prompt_submit_outcome": outcome}),
        )
    }

    /// No model is asked, as there is nothing to ask.
    pub(super) fn say_blank(&self) -> End {
        let content = "Blank prompt — the message was only whitespace, so nothing was sent to the \
                       model.";
        self.say_instead(content.to_owned(), json!({}))
    }

    /// Tells the user why the model is not asked.
    fn say_instead(&self, content: String, others: Value) -> End {
        let mut message = informational(content.as_str().into(), "warning");
        merge(&mut message, others);
        self.say_message(message);
        End::Blocked(content)
    }

    /// A hook does not let the model stop.
    pub(super) fn say_stop_feedback(&self, reason: &str, notices: Notices) {
        // What was said before is not the turn's result.
        self.with_turn(|turn| turn.speaker.text.clear());
        self.say_synthetic_user(&format!("Stop hook feedback:\n{reason}"));
        self.say_notices(notices);
        self.say_stop_error();
    }

    /// Whether hooks have blocked the end of who speaks as often in a row as they may: the end that
    /// comes now, too.
    pub(super) fn is_blocked_too_often(&self) -> bool {
        let count = |turn: &mut TurnState| {
            turn.speaker.blocks += 1;
            turn.speaker.blocks
        };
        self.with_turn(count).is_some_and(|blocks| blocks > self.setup.max_blocks)
    }

    /// Tells the user that the turn ends though its hooks have blocked that.
    pub(super) fn say_blocked_too_often(&self) {
        let text = format!(
            "A hook blocked the turn from ending {} consecutive times—overriding and ending turn. \
             For Stop/SubagentStop hooks, check stop_hook_active in the input and return success \
             while it's true. Set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP to raise this limit.",
            self.setup.max_blocks.saturating_add(1)
        );
        self.say_message(informational(text.as_str().into(), "warning"));
        self.say_message(json!({
            "type": "system", "subtype": "notification", "key": "stop-hook-block-cap",
            "text": text, "priority": "high", "color": "warning",
        }));
    }

    /// Tells the user, once in a turn, that a hook of the end has blocked it, or has failed to.
    pub(super) fn say_stop_error(&self) {
        if self.with_turn(|turn| std::mem::replace(&mut turn.has_stop_error, true)) == Some(true) {
            return;
        }
        self.say_message(json!({
            "type": "system", "subtype": "notification", "key": "stop-hook-error",
            "text": "stop hook reported a problem · ctrl+o to see", "priority": "immediate",
        }));
    }
}

/// The models that there are.
pub(super) fn models() -> Value {
    json!([{
        "value": "default", "resolvedModel": DEFAULT_MODEL,
        "displayName": "Default", "description": "What the script says",
    }])
}

/// The response to `initialize`, without what only a terminal needs.
pub(super) fn server_info() -> Value {
    json!({
        "commands": [], "agents": [],
        "output_style": "default", "available_output_styles": STYLES,
        "models": models(),
        "account": {"tokenSource": "none", "apiKeySource": "none", "apiProvider": "firstParty"},
        "claude_code_version": VERSION,
        "hooks_applied": true, "hook_on_failure_supported": true,
        "session_state": "idle", "capabilities": [],
    })
}
