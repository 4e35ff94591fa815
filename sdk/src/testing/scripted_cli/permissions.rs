//! Decides whether a tool may be called: hooks, rules and the mode come first, then the SDK is
//! asked. Texts and members are those of the real CLI.

use std::future::pending;

use serde_json::{Value, json};

use super::builtin::QUESTIONS;
use super::cli::Cli;
use super::concurrent::first;
use super::hook_calls::Outputs;
use super::json::{list, str};
use super::rules::{AGENT, older};
use super::subject::{Subject, edited, read};

/// The text for the model when the user wants it to stop.
pub(super) const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool \
     use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). \
     STOP what you are doing and wait for the user to tell you how to proceed.";

/// What follows a denial that nobody was asked for.
const WORKAROUND: &str = "IMPORTANT: You *may* attempt to accomplish this action using other tools \
     that might naturally be used to accomplish this goal, e.g. using head instead of cat. But you \
     *should not* attempt to work around this denial in malicious ways, e.g. do not use your \
     ability to run tests to execute non-test actions. You should only try to work around this \
     restriction in reasonable ways that do not attempt to bypass the intent behind this denial. \
     If you believe this capability is essential to complete the user's request, STOP and explain \
     to the user what you were trying to do and why you need this permission. Let the user decide \
     how to proceed.";

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
    Allow {
        input: Value,
        /// The `permission_decision` of the result.
        report: Value,
    },
    Deny {
        message: String,
        interrupts: bool,
        /// The `tool_result_meta` of the result, without the id.
        report: Value,
    },
}

impl Cli {
    pub(super) async fn decide(&self, tool: &ToolUse<'_>, hooks: &Outputs) -> Decision {
        if let Some(reason) = hooks.blocked() {
            let text = format!("PreToolUse:{} hook error: {reason}", tool.name);
            return deny(text, "permission-rule", rejected("hook", Some("hook")));
        }
        let input = hooks.specific("updatedInput").unwrap_or(tool.input).clone();
        let by_hook = hooks
            .decided("ask")
            .map(|output| output["hookSpecificOutput"]["permissionDecisionReason"].clone());
        let mode = self.mode_of_speaker();
        let read = read(tool.name, &input).map(|path| self.full(&path));
        let call = Subject { tool: tool.name, input: &input, read };
        let (by_rule, asked_by, denied_by) = {
            let rules = &self.state().rules;
            (rules.allow(&call), rules.ask_for(&call), rules.deny(&call))
        };
        if let Some(kind) = denied_by {
            let of = input["command"].as_str().map(|command| format!(" with command {command}"));
            let (name, of) = (tool.name, of.unwrap_or_default());
            let message = format!("Permission to use {name}{of} has been denied.");
            return self.deny_unasked(tool, message, "permission-rule", Some(kind));
        }
        let reason = match (hooks.decided("allow"), by_rule, &*mode) {
            (Some(_), ..) => Some(("hook", Some("hook"))),
            (None, Some((source, kind)), _) => Some((source, Some(kind))),
            (None, None, "bypassPermissions") => Some(("config", Some("mode"))),
            (None, None, "acceptEdits") if self.edits_here(tool.name, &input) => {
                Some(("config", Some("mode")))
            }
            (None, None, "acceptEdits") if self.moves_here(tool.name, &input) => {
                Some(("config", Some("subcommandResults")))
            }
            _ if self.reads_here(tool.name, &input) => Some(("config", Some("mode"))),
            // What a subagent does is asked for, and an output does nothing.
            _ if tool.name == AGENT || self.takes_output(tool.name) => Some(("config", None)),
            _ => None,
        };
        let is_answered =
            hooks.decided("allow").is_some() && hooks.specific("updatedInput").is_some();
        let is_planning = mode == "plan" && self.may_change(tool);
        let is_asked = asked_by.is_some() || is_planning || tool.asks_user() && !is_answered;
        if let Some((source, kind)) = reason.filter(|_| by_hook.is_none() && !is_asked) {
            let mut report = json!({"decision": "accept", "source": source});
            if let Some(kind) = kind {
                report["reason_type"] = kind.into();
            }
            return Decision::Allow { input, report };
        }
        if mode == "dontAsk" {
            let why = "has been denied because Claude Code is running in don't ask mode.";
            let message = format!("Permission to use {} {why} {WORKAROUND}", tool.name);
            return self.deny_unasked(tool, message, "permission-rule", Some("mode"));
        }
        if !self.setup.asks {
            return self.ask_hooks(tool, input).await;
        }
        self.ask_permission(tool, input, by_hook, asked_by, &mode).await
    }

    /// Asks only the hooks of `PermissionRequest`, as the SDK has no callback.
    async fn ask_hooks(&self, tool: &ToolUse<'_>, input: Value) -> Decision {
        let hooks = self.permission_hooks(tool, &input).await;
        let Some(answer) = hooks.specific("decision") else {
            if self.mode_of_speaker() == "plan" && self.may_change(tool) {
                let message = format!("Cannot call {} while in plan mode.", tool.name);
                self.say_denied(tool, &message, Some("mode"), None);
                return deny(message, "user-rejected", rejected("config", None));
            }
            let why = "but you haven't granted it yet.";
            let message = format!("Claude requested permissions to use {}, {why}", tool.name);
            return self.deny_unasked(tool, message, "user-rejected", None);
        };
        let decision = self.follow_hook(answer, input);
        if matches!(decision, Decision::Deny { .. }) {
            let message = str(&answer["message"]);
            self.say_denied(tool, message, Some("hook"), Some(message));
        }
        decision
    }

    /// Whether it is a tool of a server that does not only read.
    fn may_change(&self, tool: &ToolUse<'_>) -> bool {
        self.find_tool(tool.name).is_some_and(|(_, tool)| !tool.is_read_only)
    }

    /// Calls the hooks of `PermissionRequest`.
    async fn permission_hooks(&self, tool: &ToolUse<'_>, input: &Value) -> Outputs {
        let mut fields = tool.hook_fields(input);
        if let Value::Object(fields) = &mut fields {
            fields.remove("tool_use_id");
        }
        if !tool.asks_user() {
            fields["permission_suggestions"] = self.suggestions(tool.name, input);
        }
        self.hooks("PermissionRequest", tool.name, fields, Some(tool.id)).await
    }

    /// Asks the SDK and, at the same time, the hooks of `PermissionRequest`. The first decision
    /// counts, and the other request is withdrawn.
    async fn ask_permission(
        &self,
        tool: &ToolUse<'_>,
        input: Value,
        by_hook: Option<Value>,
        by_rule: Option<String>,
        mode: &str,
    ) -> Decision {
        let mut request = json!({"tool_name": tool.name});
        if let Some(server) = tool.server {
            request["mcp_server"] = json!({"name": server, "source": "sdk"});
        }
        request["display_name"] = display_name(tool.name).into();
        request["input"] = input.clone();
        match (by_hook, mode) {
            (Some(reason), _) => {
                request["decision_reason"] = reason;
                request["decision_reason_type"] = "hook".into();
            }
            _ if tool.asks_user() => {}
            _ if by_rule.is_some() => {
                request["decision_reason_type"] = "rule".into();
                request["decision_reason_rule_source"] = by_rule.clone().into();
            }
            (None, "plan") => request["decision_reason_type"] = "mode".into(),
            (None, _) => {
                request["permission_suggestions"] = self.suggestions(tool.name, &request["input"]);
            }
        }
        self.describe(tool.name, &input, &mut request);
        let is_of_files = edited(tool.name, &input).is_some() || tool.name == "Read";
        if by_rule.is_some() || (tool.server.is_some() || is_of_files) && mode != "plan" {
            request["server_policy_ask_only"] = by_rule.is_none().into();
        }
        request["tool_use_id"] = tool.id.into();
        if tool.asks_user() {
            request["requires_user_interaction"] = true.into();
        }
        if let Some(agent) = self.agent() {
            request["agent_id"] = agent.id.into();
        }
        self.report_state("requires_action");
        let denial = tool.denial();
        self.with_turn(|turn| turn.asking.push(denial.clone()));
        let of_hooks = async {
            match self.permission_hooks(tool, &input).await.specific("decision") {
                Some(decision) => decision.clone(),
                None => pending().await,
            }
        };
        let answer = first(self.ask("can_use_tool", request), of_hooks).await;
        self.report_state("running");
        self.with_turn(|turn| turn.asking.retain(|asking| *asking != denial));
        match answer {
            Ok(Ok(answer)) => self.follow_answer(&answer, input),
            Err(decision) => self.follow_hook(&decision, input),
            Ok(Err(error)) => {
                let message = format!("Tool permission request failed: Error: {error}");
                deny(message, "permission-rule", rejected("config", Some("other")))
            }
        }
    }

    fn follow_hook(&self, answer: &Value, input: Value) -> Decision {
        let mut decision = self.follow_answer(answer, input);
        match &mut decision {
            Decision::Allow { report, .. } => {
                *report = json!({"decision": "accept", "source": "hook", "reason_type": "hook"});
            }
            Decision::Deny { interrupts: false, report, .. } => {
                report["permission_decision"] = rejected("hook", Some("hook"));
            }
            Decision::Deny { .. } => {}
        }
        decision
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
                let input = answer.get("updatedInput").cloned().unwrap_or(input);
                let report = json!({"decision": "accept", "source": "user_temporary"});
                Decision::Allow { input, report }
            }
            Some("deny") if answer["interrupt"] == true => {
                let report = json!({"non_execution_kind": "user-rejected"});
                Decision::Deny { message: REJECTED.into(), interrupts: true, report }
            }
            Some("deny") => deny_by_user(str(&answer["message"]).to_owned()),
            _ => {
                let error = "the answer is neither a permission nor a denial";
                deny_by_user(format!("Tool permission request failed: {error}: {answer}"))
            }
        }
    }

    /// A denial without a question is also reported by a message.
    fn deny_unasked(
        &self,
        tool: &ToolUse<'_>,
        message: String,
        kind: &str,
        reason: Option<&str>,
    ) -> Decision {
        self.say_denied(tool, &message, reason, None);
        deny(message, kind, rejected("config", reason))
    }

    fn say_denied(&self, tool: &ToolUse<'_>, message: &str, kind: Option<&str>, why: Option<&str>) {
        let mut told = json!({
            "type": "system", "subtype": "permission_denied",
            "tool_name": tool.name, "tool_use_id": tool.id,
        });
        if let Some(agent) = self.agent() {
            told["agent_id"] = agent.id.into();
        }
        let reasons = [("decision_reason_type", kind), ("decision_reason", why)];
        for (name, reason) in reasons.into_iter().filter_map(|(name, it)| Some((name, it?))) {
            told[name] = reason.into();
        }
        told["message"] = message.into();
        self.say_message(told);
    }
}

impl ToolUse<'_> {
    /// Whether only a person can answer it.
    fn asks_user(&self) -> bool {
        QUESTIONS.contains(&self.name)
    }

    /// Its entry in `permission_denials`, in which `Agent` has its older name.
    pub(super) fn denial(&self) -> Value {
        json!({"tool_name": older(self.name), "tool_use_id": self.id, "tool_input": self.input})
    }

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

fn deny_by_user(message: String) -> Decision {
    deny(message, "permission-rule", rejected("user_reject", None))
}

fn deny(message: String, kind: &str, decision: Value) -> Decision {
    let report = json!({"non_execution_kind": kind, "permission_decision": decision});
    Decision::Deny { message, interrupts: false, report }
}

fn rejected(source: &str, reason: Option<&str>) -> Value {
    let mut decision = json!({"decision": "reject", "source": source});
    if let Some(reason) = reason {
        decision["reason_type"] = reason.into();
    }
    decision
}

/// A tool's display name: `mcp__calc__count_words` is `Count Words`.
pub(super) fn display_name(name: &str) -> String {
    let name = name.rsplit("__").next().unwrap_or(name).replace('_', " ");
    let mut starts = true;
    let capital = |c: char| {
        let is_first = std::mem::replace(&mut starts, !c.is_alphanumeric());
        if is_first { c.to_ascii_uppercase() } else { c }
    };
    name.chars().map(capital).collect()
}
