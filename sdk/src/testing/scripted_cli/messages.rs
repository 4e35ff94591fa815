//! Messages that do not belong to an answer of the model. The real ones have more members; here are
//! those that matter to this SDK.

use serde_json::{Value, json};

use super::cli::Cli;
use super::json::merge;
use super::permissions::REJECTED;
use super::setup::States;

/// The version of the CLI that is played.
pub(super) const VERSION: &str = "2.1.328";

impl Cli {
    /// Sends `system/init`, which begins each turn.
    pub(super) fn say_init(&self) {
        let tools = self.tool_names();
        let (servers, model, mode) = {
            let state = self.state();
            let servers = state.servers.iter().map(|server| {
                let mut shown = json!({"name": server.name, "status": server.status});
                if server.is_ours {
                    shown["source"] = "sdk".into();
                }
                shown
            });
            (servers.collect::<Vec<_>>(), state.model.clone(), state.mode.clone())
        };
        self.say_message(json!({
            "type": "system", "subtype": "init", "cwd": self.setup.cwd, "tools": tools,
            "mcp_servers": servers, "model": model, "permissionMode": mode,
            "slash_commands": [], "apiKeySource": "none", "claude_code_version": VERSION,
            "output_style": "default", "agents": [], "skills": [], "plugins": [],
            "capabilities": [
                "interrupt_receipt_v1", "interrupt_cancel_queued_v1", "sdk_mcp_tools_list_changed",
            ],
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
        self.with_turn(|turn| turn.added += 1);
        self.say_message(message);
    }

    /// Sends what the model is told about an interrupt: the results of the running calls, and the
    /// user's wish to stop. Returns whether tools were running.
    pub(super) fn say_interrupted(&self) -> bool {
        let open = self.with_turn(|turn| std::mem::take(&mut turn.open)).unwrap_or_default();
        for id in &open {
            let block = json!({
                "type": "tool_result", "content": REJECTED, "is_error": true, "tool_use_id": id,
            });
            self.say_user(json!([block]), json!({"tool_use_result": "User rejected tool use"}));
        }
        let in_tools = self.with_turn(|turn| turn.in_tools).unwrap_or_default();
        let text = match in_tools {
            true => "[Request interrupted by user for tool use]",
            false => "[Request interrupted by user]",
        };
        self.say_user(json!([{"type": "text", "text": text}]), json!({}));
        in_tools
    }
}

/// The response to `initialize`, without what only a terminal needs.
pub(super) fn server_info(model: &str) -> Value {
    json!({
        "commands": [], "agents": [],
        "output_style": "default", "available_output_styles": ["default"],
        "models": [{
            "value": "default", "resolvedModel": model,
            "displayName": "Default", "description": "What the script says",
        }],
        "account": {"tokenSource": "none", "apiKeySource": "none", "apiProvider": "firstParty"},
        "claude_code_version": VERSION,
        "hooks_applied": true, "hook_on_failure_supported": true,
        "session_state": "idle", "capabilities": [],
    })
}
