//! Calls of hooks, and the outputs of an event's hooks taken together.
//!
//! All hooks of an event are called at the same time. A hook that fails is ignored, unless its
//! `onFailure` is `block`; one that takes too long is withdrawn. Failures are told at once, and
//! what hooks say to the user where the real CLI does: not in subagents, and not about permissions.
//! Hooks are called for prompts, tool calls, permissions and ends of turns.

use std::sync::Arc;

use serde_json::{Value, json};

use super::cli::Cli;
use super::concurrent::all;
use super::hooks::{Hook, Hooks};
use super::json::{merge, str};
use super::rules::older;

/// Members of outputs that stand for those of a hook: why it gives none, and what the user is told.
const NO_VERDICT: &str = "noVerdict";
const FAILURE: &str = "failure";

/// Why a hook gives no verdict whose failure is to block the event.
const FAILED: &str = "hook_failed";

/// The outputs of the hooks of one event.
#[derive(Default)]
pub(super) struct Outputs(Vec<Value>);

/// What the user is told of hooks: whole messages.
#[derive(Default)]
pub(super) struct Notices(Vec<Value>);

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
        let (hooks, prompt): (Arc<Hooks>, _) = {
            let state = self.state();
            let prompt = state.turn.as_ref().map(|turn| turn.id.clone());
            (state.hooks.clone(), prompt)
        };
        let mut input = json!({
            "session_id": self.setup.session_id, "transcript_path": "", "cwd": self.cwd(),
            "hook_event_name": event, "prompt_id": prompt,
        });
        if !matches!(event, "StopFailure" | "SubagentStart") {
            input["permission_mode"] = self.mode_of_speaker().into();
        }
        if let Some(agent) = self.agent() {
            merge(&mut input, json!({"agent_id": agent.id, "agent_type": agent.kind}));
        }
        merge(&mut input, fields);
        let outputs = all(hooks.of(event, [subject, older(subject)]).map(|hook| {
            let id = tool_use_id.map_or_else(|| self.uuid(), str::to_owned);
            let body = json!({"callback_id": hook.callback, "input": input, "tool_use_id": id});
            Box::pin(self.hook(event, hook, body)) as _
        }))
        .await;
        let outputs = Outputs(outputs);
        // Those of a prompt are told once its turn has begun.
        if event != "UserPromptSubmit" {
            self.say_notices(outputs.failures());
        }
        outputs.contexts().for_each(|context| self.recorder.context(context));
        outputs
    }

    /// Calls the hooks of a prompt, or of several that share a turn.
    pub(super) async fn prompt_hooks(&self, text: &str) -> Outputs {
        let outputs = self.hooks("UserPromptSubmit", "", json!({"prompt": text}), None).await;
        self.take_title(&outputs);
        outputs
    }

    /// Takes the title that hooks of a prompt give the session, if the prompt is to be answered.
    fn take_title(&self, outputs: &Outputs) {
        let title = outputs.specific("sessionTitle").map_or("", |title| str(title).trim());
        let is_ended = outputs.blocked().is_some() || outputs.stops();
        if !is_ended && !title.is_empty() && self.state().title.as_deref() != Some(title) {
            self.set_title(title);
        }
    }

    /// Calls the hooks of the end of a turn, whose last answer may have a text.
    pub(super) async fn stop_hooks(&self, is_active: bool, said: Option<&str>) -> Outputs {
        let mut fields =
            json!({"stop_hook_active": is_active, "background_tasks": [], "session_crons": []});
        if let Some(said) = said {
            fields["last_assistant_message"] = said.into();
        }
        self.hooks("Stop", "", fields, None).await
    }

    /// Calls the hooks of a turn that the API has ended. Their answers do not count.
    pub(super) async fn failure_hooks(&self) {
        let failure = self.with_turn(|turn| turn.failure.take()).flatten();
        let Some((error, said)) = failure else { return };
        let fields = json!({"error": error, "last_assistant_message": said});
        self.hooks("StopFailure", &error, fields, None).await;
    }

    async fn hook(&self, event: &str, hook: &Hook, body: Value) -> Value {
        let answer = tokio::time::timeout(hook.timeout, self.ask("hook_callback", body)).await;
        match answer {
            // The hook continues in the background; its output is not awaited.
            Ok(Ok(output)) if output["async"] == true => json!({}),
            Ok(Ok(output)) if !is_accepted(&output) => hook.failure(event),
            Ok(Ok(mut output)) => {
                if let Some(output) = output.as_object_mut().filter(|_| self.agent().is_some()) {
                    output.remove("systemMessage");
                }
                output
            }
            Ok(Err(_)) => hook.failure(event),
            Err(_) => hook.delay(event),
        }
    }

    /// Passes on what the user is told.
    pub(super) fn say_notices(&self, notices: Notices) {
        notices.0.into_iter().for_each(|notice| self.say_message(notice));
    }
}

/// The outputs that stand for those of a hook.
impl Hook {
    /// It has failed.
    fn failure(&self, event: &str) -> Value {
        let failure = format!(
            "Hook callback {} failed: the SDK host replied with an error or an invalid answer.",
            self.callback
        );
        // No failure keeps a turn from its end.
        if !self.blocks_on_failure || matches!(event, "Stop" | "SubagentStop") {
            let told = format!("{event}: {failure} Its answer was treated as empty.");
            let no_verdict = self.blocks_on_failure.then_some(FAILED);
            return json!({NO_VERDICT: no_verdict, FAILURE: told});
        }
        let why = r#"onFailure is "block""#;
        let told = format!("{event}: {failure} {why}, so this failure counts as a block.");
        let reason = format!("[callback]: failed; blocking because {why}\n{failure}");
        json!({"decision": "block", "reason": reason, NO_VERDICT: FAILED, FAILURE: told})
    }

    /// It takes too long.
    fn delay(&self, event: &str) -> Value {
        let no_verdict = "callback_timed_out";
        match event {
            "UserPromptSubmit" => {
                let time = self.timeout.as_millis();
                let reason = format!("{event} hook callback timed out after {time}ms");
                json!({"decision": "block", "reason": reason, NO_VERDICT: no_verdict})
            }
            "Stop" => {
                let told = "The app driving this session didn't respond, so this turn ended \
                            without it.";
                json!({"systemMessage": told})
            }
            _ => json!({NO_VERDICT: no_verdict}),
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

    /// Why the hook that blocks the event has no reason of its own.
    pub(super) fn no_verdict(&self) -> Option<&str> {
        self.blocking()?[NO_VERDICT].as_str()
    }

    /// Whether the hook that blocks the prompt wants the user not to be shown it.
    pub(super) fn hides_prompt(&self) -> bool {
        let hides = |it: &Value| it["hookSpecificOutput"]["suppressOriginalPrompt"] == true;
        self.blocking().is_some_and(hides)
    }

    fn blocking(&self) -> Option<&Value> {
        self.0.iter().find(|output| output["decision"] == "block")
    }

    /// Whether a hook has failed whose failure is to block the event.
    pub(super) fn have_failed(&self) -> bool {
        self.0.iter().any(|output| output[NO_VERDICT] == FAILED)
    }

    /// Whether a hook has taken too long.
    pub(super) fn are_late(&self) -> bool {
        self.0.iter().any(|output| output[NO_VERDICT] == "callback_timed_out")
    }

    /// What the user is told of hooks that have failed.
    pub(super) fn failures(&self) -> Notices {
        let failures = self.0.iter().filter_map(|output| output.get(FAILURE));
        let told = failures.map(|failure| {
            let mut told = informational(failure.clone(), "warning");
            told["tag"] = "hook_callback_failed".into();
            told
        });
        Notices(told.collect())
    }

    /// What the hooks of this event say to the user.
    pub(super) fn notices(&self, event: &str) -> Notices {
        let said = self.0.iter().filter_map(|output| output["systemMessage"].as_str());
        let told = said.map(|said| informational(format!("{event} says: {said}").into(), "notice"));
        Notices(told.collect())
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

/// Whether the real CLI takes the output. It takes none of one that has a member of a wrong type.
fn is_accepted(output: &Value) -> bool {
    let are = |object: &Value, names: &[&str], is_right: fn(&Value) -> bool| {
        names.iter().all(|name| object.get(name).is_none_or(is_right))
    };
    let own = &output["hookSpecificOutput"];
    are(output, &["continue", "suppressOutput"], Value::is_boolean)
        && are(output, &["stopReason", "reason", "systemMessage"], Value::is_string)
        && are(output, &["decision"], |it| ["approve", "block"].contains(&str(it)))
        && are(output, &["hookSpecificOutput"], Value::is_object)
        && are(own, &["permissionDecisionReason", "additionalContext"], Value::is_string)
        && are(own, &["sessionTitle"], Value::is_string)
        && are(own, &["suppressOriginalPrompt"], Value::is_boolean)
        && are(own, &["updatedInput"], Value::is_object)
        && are(own, &["permissionDecision"], |it| {
            ["allow", "deny", "ask", "defer"].contains(&str(it))
        })
}

/// A message to the user alone.
pub(super) fn informational(content: Value, level: &str) -> Value {
    json!({"type": "system", "subtype": "informational", "content": content, "level": level})
}
