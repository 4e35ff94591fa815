//! What is said of a turn that is interrupted, by a request or by a more urgent prompt.

use serde_json::json;

use super::api_message::estimate;
use super::call::INTERRUPTED;
use super::cli::Cli;
use super::permissions::REJECTED;
use super::result::End;
use super::turn_state::Agent;

/// What the model is told of a call that was running when the user interrupted it.
const CORRECTION: &str = "Correction to the text above: this call was stopped while running, not \
    refused before it ran. It may have run in part or in full, and its changes may have been \
    written. No permission prompt was involved. Work it started elsewhere (a remote command, a \
    background process) may still be running, so check before starting the same work again. The \
    instruction to stop and wait still stands.";

/// What the model is told of a call that another prompt has ended.
const CUT: &str = "The tool call was interrupted before a result was received. It may or may not \
    have completed on the server — verify before assuming it succeeded, and retry if needed.";

/// What the model is told of a call that another prompt has ended before it was permitted.
const ABORTED: &str = "Tool permission request aborted";

impl Cli {
    /// Sends what the model is told about an interrupt: the results of the running calls, and the
    /// user's wish to stop. Subagents are killed. Returns how the turn ends.
    pub(super) fn say_interrupted(&self) -> End {
        let (by_prompt, is_calling) = self
            .with_turn(|turn| {
                turn.denials.extend(turn.asking.iter().cloned());
                (turn.is_superseded, turn.speaker.in_tools)
            })
            .unwrap_or_default();
        self.count_unfinished();
        // A subagent is told of a prompt, and of a request only who waits for the first of them. It
        // is killed later if a call has to end first.
        let mut killed = Vec::new();
        while let Some(agent) = self.agent() {
            if by_prompt {
                self.say_lost_calls(by_prompt, &killed);
            }
            self.leave_agent();
            if by_prompt || !is_calling {
                self.say_killed(&agent);
            }
            killed.push(agent);
        }
        self.say_lost_calls(by_prompt, &killed);
        if !by_prompt && is_calling {
            killed.iter().for_each(|agent| self.say_killed(agent));
        }
        let in_tools = self.with_turn(|turn| turn.speaker.in_tools) == Some(true);
        if by_prompt {
            return End::Superseded { in_tools };
        }
        let text = if in_tools { INTERRUPTED } else { "[Request interrupted by user]" };
        self.say_user(json!([{"type": "text", "text": text}]), json!({}));
        End::Interrupted { in_tools }
    }

    /// Sends the results of the calls that have none, of which some have started these subagents.
    fn say_lost_calls(&self, by_prompt: bool, killed: &[Agent]) {
        let (open, running, asking) = self
            .with_turn(|turn| {
                let open = std::mem::take(&mut turn.speaker.open);
                (open, turn.requests.clone(), turn.asking.clone())
            })
            .unwrap_or_default();
        for call in open {
            let id = call.id.clone();
            let is_agent = killed.iter().any(|agent| agent.tool_use == id);
            let is_running = is_agent || running.iter().any(|request| request.tool_use == id);
            let is_asking = asking.iter().any(|it| it["tool_use_id"] == id.as_str());
            let (text, kind) = match by_prompt {
                true if is_asking => (ABORTED.to_owned(), "permission-rule"),
                true if is_agent => (INTERRUPTED.to_owned(), "interrupted"),
                true => (CUT.to_owned(), "interrupted"),
                false if is_running => (format!("{REJECTED} {CORRECTION}"), "user-rejected"),
                false => (REJECTED.to_owned(), "user-rejected"),
            };
            let mut meta = json!({"id": id});
            if self.agent().is_none() {
                meta["non_execution_kind"] = kind.into();
            }
            if by_prompt {
                meta["permission_decision"] = match is_asking {
                    true => json!({"decision": "reject", "source": "user_abort"}),
                    false if is_agent => json!({"decision": "accept", "source": "config"}),
                    false => {
                        json!({"decision": "accept", "source": "config", "reason_type": "rule"})
                    }
                };
            }
            let own = match by_prompt {
                true => format!("Error: {text}"),
                false => "User rejected tool use".to_owned(),
            };
            self.recorder.interrupted(call, &text);
            let block = json!({
                "type": "tool_result", "content": text, "is_error": true, "tool_use_id": id,
            });
            self.say_user(
                json!([block]),
                json!({"tool_use_result": own, "tool_result_meta": [meta]}),
            );
        }
    }

    /// The tokens of an answer that was interrupted count as far as it came.
    fn count_unfinished(&self) {
        let state = &mut *self.state();
        let Some(turn) = &mut state.turn else { return };
        if let Some(input) = turn.unfinished.take() {
            let output = u64::try_from(estimate(&turn.speaker.text)).unwrap_or_default();
            let tokens = state.tokens.entry(turn.model.clone()).or_default();
            *tokens = (tokens.0 + input, tokens.1 + output);
        }
    }
}
