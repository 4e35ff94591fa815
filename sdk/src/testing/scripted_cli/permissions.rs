//! Decides whether a tool may be called: hooks, rules and the mode come first, then the SDK is
//! asked. Texts and members are those of the real CLI.

use serde_json::{Value, json};

use super::cli::Cli;
use super::concurrent::both;
use super::hook_calls::Outputs;
use super::json::{list, str};

/// The text for the model when the user wants it to stop.
pub(super) const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool \
     use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). \
     STOP what you are doing and wait for the user to tell you how to proceed.";

/// A tool use that needs a decision.
pub(super) struct ToolUse<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) input: &'a Value,
    /// The server of an MCP tool.
    pub(super) server: Option<&'a str>,
}

pub(super) enum Decision {
    /// The call is made with this input.
    Allow(Value),
    Deny {
        message: String,
        interrupts: bool,
    },
}

impl Cli {
    pub(super) async fn decide(&self, tool: &ToolUse<'_>, hooks: &Outputs) -> Decision {
        if let Some(reason) = hooks.blocked() {
            return deny(format!("PreToolUse:{} hook error: {reason}", tool.name));
        }
        let input = hooks.specific("updatedInput").unwrap_or(tool.input).clone();
        let by_hook = hooks
            .decided("ask")
            .map(|output| output["hookSpecificOutput"]["permissionDecisionReason"].clone());
        let (mode, is_allowed, is_asked) = {
            let state = self.state();
            (state.mode.clone(), state.rules.allow(tool.name), state.rules.ask_for(tool.name))
        };
        let is_allowed =
            hooks.decided("allow").is_some() || is_allowed || mode == "bypassPermissions";
        if is_allowed && by_hook.is_none() && !is_asked {
            return Decision::Allow(input);
        }
        if mode == "dontAsk" {
            let why = "has been denied because Claude Code is running in don't ask mode.";
            let message = format!("Permission to use {} {why}", tool.name);
            return self.deny_unasked(tool, message, Some("mode"));
        }
        if !self.setup.asks {
            let why = "but you haven't granted it yet.";
            let message = format!("Claude requested permissions to use {}, {why}", tool.name);
            return self.deny_unasked(tool, message, None);
        }
        self.ask_permission(tool, input, by_hook, &mode).await
    }

    /// Asks the SDK and, at the same time, the hooks of `PermissionRequest`. A decision of a hook
    /// has priority.
    async fn ask_permission(
        &self,
        tool: &ToolUse<'_>,
        input: Value,
        by_hook: Option<Value>,
        mode: &str,
    ) -> Decision {
        let mut request = json!({"tool_name": tool.name});
        if let Some(server) = tool.server {
            request["mcp_server"] = json!({"name": server, "source": "sdk"});
        }
        request["display_name"] = display_name(tool.name).into();
        request["input"] = input.clone();
        let suggestions = json!([{
            "type": "addRules", "rules": [{"toolName": tool.name}],
            "behavior": "allow", "destination": "localSettings",
        }]);
        match (by_hook, mode) {
            (Some(reason), _) => {
                request["decision_reason"] = reason;
                request["decision_reason_type"] = "hook".into();
            }
            (None, "plan") => request["decision_reason_type"] = "mode".into(),
            (None, _) => request["permission_suggestions"] = suggestions.clone(),
        }
        request["tool_use_id"] = tool.id.into();
        let mut fields = tool.hook_fields(&input);
        fields["permission_suggestions"] = suggestions;
        self.report_state("requires_action");
        let hooks = self.hooks("PermissionRequest", tool.name, fields, Some(tool.id));
        let (answer, hooks) = both(self.ask("can_use_tool", request), hooks).await;
        self.report_state("running");
        match hooks.specific("decision").cloned().map_or(answer, Ok) {
            Ok(answer) => self.follow_answer(&answer, input),
            Err(error) => deny(format!("Tool permission request failed: {error}")),
        }
    }

    fn follow_answer(&self, answer: &Value, input: Value) -> Decision {
        match answer["behavior"].as_str() {
            Some("allow") => {
                for update in list(&answer["updatedPermissions"]) {
                    match update["type"] == "setMode" {
                        true => self.set_mode(str(&update["mode"])),
                        false => self.state().rules.update(update),
                    }
                }
                Decision::Allow(answer.get("updatedInput").cloned().unwrap_or(input))
            }
            Some("deny") if answer["interrupt"] == true => {
                Decision::Deny { message: REJECTED.into(), interrupts: true }
            }
            Some("deny") => deny(str(&answer["message"])),
            _ => {
                let error = "the answer is neither a permission nor a denial";
                deny(format!("Tool permission request failed: {error}: {answer}"))
            }
        }
    }

    /// A denial without a question is also reported by a message.
    fn deny_unasked(&self, tool: &ToolUse<'_>, message: String, reason: Option<&str>) -> Decision {
        let mut told = json!({
            "type": "system", "subtype": "permission_denied",
            "tool_name": tool.name, "tool_use_id": tool.id,
        });
        if let Some(reason) = reason {
            told["decision_reason_type"] = reason.into();
        }
        told["message"] = message.as_str().into();
        self.say_message(told);
        deny(message)
    }
}

impl ToolUse<'_> {
    /// The members of a hook's input that describe the tool use.
    pub(super) fn hook_fields(&self, input: &Value) -> Value {
        let mut fields =
            json!({"tool_name": self.name, "tool_input": input, "tool_use_id": self.id});
        if let Some(server) = self.server {
            fields["mcp_server"] = json!({"name": server, "source": "sdk"});
        }
        fields
    }
}

fn deny(message: impl Into<String>) -> Decision {
    Decision::Deny { message: message.into(), interrupts: false }
}

/// A tool's display name: `mcp__calc__count_words` is `Count words`.
pub(super) fn display_name(name: &str) -> String {
    let name = name.rsplit("__").next().unwrap_or(name).replace('_', " ");
    let mut chars = name.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
