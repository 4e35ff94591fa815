//! Calls of hooks, and the outputs of an event's hooks taken together.
//!
//! All hooks of an event are called at the same time. A hook that fails is ignored, unless its
//! `onFailure` is `block`; one that takes too long is withdrawn. Hooks are called for prompts, tool
//! calls, permissions and ends of turns.

use std::sync::Arc;

use serde_json::{Value, json};

use super::cli::Cli;
use super::concurrent::all;
use super::hooks::{Hook, Hooks};
use super::json::{merge, str};

/// The outputs of the hooks of one event.
#[derive(Default)]
pub(super) struct Outputs(Vec<Value>);

impl Cli {
    /// Calls the hooks of an event. `subject` is what matchers are compared with, `fields` are the
    /// members of the input that belong to this event.
    pub(super) async fn hooks(
        &self,
        event: &str,
        subject: &str,
        fields: Value,
        tool_use_id: Option<&str>,
    ) -> Outputs {
        let (hooks, mode, prompt): (Arc<Hooks>, _, _) = {
            let state = self.state();
            let prompt = state.turn.as_ref().map(|turn| turn.id.clone());
            (state.hooks.clone(), state.mode.clone(), prompt)
        };
        let mut input = json!({
            "session_id": self.setup.session_id, "transcript_path": "", "cwd": self.setup.cwd,
            "permission_mode": mode, "hook_event_name": event, "prompt_id": prompt,
        });
        if let Some(agent) = self.agent() {
            merge(&mut input, json!({"agent_id": agent.id, "agent_type": agent.kind}));
        }
        merge(&mut input, fields);
        let outputs = all(hooks.of(event, subject).map(|hook| {
            let id = tool_use_id.map_or_else(|| self.uuid(), str::to_owned);
            let body = json!({"callback_id": hook.callback, "input": input, "tool_use_id": id});
            Box::pin(self.hook(hook, body)) as _
        }))
        .await;
        let outputs = Outputs(outputs);
        outputs.contexts().for_each(|context| self.recorder.context(context));
        outputs
    }

    async fn hook(&self, hook: &Hook, body: Value) -> Value {
        let answer = tokio::time::timeout(hook.timeout, self.ask("hook_callback", body)).await;
        let late = |_| Err(format!("no answer within {:?}", hook.timeout));
        match answer.unwrap_or_else(late) {
            // The hook continues in the background; its output is not awaited.
            Ok(output) if output["async"] == true => json!({}),
            Ok(output) => output,
            Err(error) if hook.blocks_on_failure => json!({"decision": "block", "reason": error}),
            Err(_) => json!({}),
        }
    }
}

impl Outputs {
    /// The reason of a hook that blocks the event.
    pub(super) fn blocked(&self) -> Option<String> {
        let reason = |text: &Value| text.as_str().unwrap_or("Blocked by hook").to_owned();
        self.0.iter().find_map(|output| {
            match (&output["decision"], &output["hookSpecificOutput"]["permissionDecision"]) {
                (decision, _) if decision == "block" => Some(reason(&output["reason"])),
                (_, decision) if decision == "deny" => {
                    Some(reason(&output["hookSpecificOutput"]["permissionDecisionReason"]))
                }
                _ => None,
            }
        })
    }

    /// Why a hook keeps the turn from going on.
    pub(super) fn stopped(&self) -> Option<&str> {
        let stop = self.0.iter().find(|output| output["continue"] == false)?;
        Some(str(&stop["stopReason"]))
    }

    /// Whether a hook ends the turn.
    pub(super) fn stops(&self) -> bool {
        self.stopped().is_some()
    }

    /// The output of a hook with this decision; the older word `approve` means `allow`.
    pub(super) fn decided(&self, decision: &str) -> Option<&Value> {
        let is_older = |output: &Value| decision == "allow" && output["decision"] == "approve";
        self.0.iter().find(|output| {
            output["hookSpecificOutput"]["permissionDecision"] == decision || is_older(output)
        })
    }

    /// A member of `hookSpecificOutput`; the last hook wins.
    pub(super) fn specific(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find_map(|output| output["hookSpecificOutput"].get(name))
    }

    fn contexts(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|output| {
            output["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
        })
    }
}
