//! Hooks: which there are, when they are called, what their outputs come to (agent-protocol e; the
//! members of the inputs as they were seen).
//!
//! All hooks of an event are called at the same time. One that fails is as if it were not there,
//! unless its `onFailure` is `block`; one that takes too long is withdrawn. Played are the events
//! of prompts, tool calls, permissions and ends of turns; all others never happen here.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::cli::Cli;
use super::matcher::Matcher;
use super::together::all;

/// How long the CLI waits for a hook that says nothing else.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The hooks of the `initialize` request.
#[derive(Default)]
pub(super) struct Hooks(Vec<Hook>);

struct Hook {
    event: String,
    matcher: Matcher,
    callback: String,
    timeout: Duration,
    blocks_on_failure: bool,
}

/// What the hooks of one event said.
#[derive(Default)]
pub(super) struct Outputs(Vec<Value>);

impl Hooks {
    /// # Errors
    ///
    /// A matcher cannot be played.
    pub(super) fn read(initialize: &Value) -> Result<Self, String> {
        let mut hooks = Vec::new();
        for (event, entries) in initialize["hooks"].as_object().into_iter().flatten() {
            for entry in entries.as_array().into_iter().flatten() {
                let timeout = entry["timeout"]
                    .as_f64()
                    .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                for callback in entry["hookCallbackIds"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                {
                    hooks.push(Hook {
                        event: event.clone(),
                        matcher: Matcher::read(entry["matcher"].as_str())?,
                        callback: callback.to_owned(),
                        timeout: timeout.unwrap_or(TIMEOUT),
                        blocks_on_failure: entry["onFailure"] == "block",
                    });
                }
            }
        }
        Ok(Self(hooks))
    }
}

impl Cli {
    /// Calls the hooks of an event; `subject` is what they are matched by, `fields` what the input
    /// of the event has of its own.
    pub(super) async fn hooks(
        &self,
        event: &str,
        subject: &str,
        fields: Value,
        tool_use_id: Option<&str>,
    ) -> Outputs {
        let (hooks, mode): (Arc<Hooks>, _) = {
            let state = self.state();
            (state.hooks.clone(), state.mode.clone())
        };
        let mut input = json!({
            "session_id": self.setup.session_id,
            "transcript_path": "",
            "cwd": self.setup.cwd,
            "permission_mode": mode,
            "hook_event_name": event,
        });
        if let (Value::Object(input), Value::Object(mut fields)) = (&mut input, fields) {
            input.append(&mut fields);
        }
        let called =
            hooks.0.iter().filter(|hook| hook.event == event && hook.matcher.fits(subject));
        let outputs = all(called.map(|hook| {
            let body = json!({
                "callback_id": hook.callback,
                "input": input,
                "tool_use_id": tool_use_id.map_or_else(|| self.uuid(), str::to_owned),
            });
            Box::pin(self.hook(hook, body)) as _
        }))
        .await;
        let outputs = Outputs(outputs);
        outputs.contexts().for_each(|context| self.recorder.context(context));
        outputs
    }

    async fn hook(&self, hook: &Hook, body: Value) -> Value {
        let answer = match tokio::time::timeout(hook.timeout, self.ask("hook_callback", body)).await
        {
            Ok(answer) => answer,
            Err(_) => Err(format!("no answer within {:?}", hook.timeout)),
        };
        match answer {
            // It goes on in the background, and nobody waits for it.
            Ok(output) if output["async"] == true => json!({}),
            Ok(output) => output,
            Err(error) if hook.blocks_on_failure => json!({"decision": "block", "reason": error}),
            Err(_) => json!({}),
        }
    }
}

impl Outputs {
    /// Why the event is not to happen, if it is not.
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

    /// Whether a hook ends the turn.
    pub(super) fn stops(&self) -> bool {
        self.0.iter().any(|output| output["continue"] == false)
    }

    /// Whether a hook has decided so; of the older words, `approve` is `allow`.
    pub(super) fn decided(&self, decision: &str) -> Option<&Value> {
        let is_older = |output: &Value| decision == "allow" && output["decision"] == "approve";
        self.0.iter().find(|output| {
            output["hookSpecificOutput"]["permissionDecision"] == decision || is_older(output)
        })
    }

    /// A member of `hookSpecificOutput`; the last hook's word counts.
    pub(super) fn specific(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find_map(|output| output["hookSpecificOutput"].get(name))
    }

    fn contexts(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|output| {
            output["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
        })
    }
}
