//! The result message of a turn.

use serde_json::{Value, json};

use super::cli::Cli;
use super::{api_error, usage};
use crate::testing::reply::ApiError;

/// How a turn ended.
pub(super) enum End {
    Completed,
    /// The model was not asked: a hook did not let it, or the prompt is blank.
    Blocked(String),
    /// Interrupted while tools ran, or else while the model wrote.
    Interrupted {
        in_tools: bool,
    },
    /// Another prompt is more urgent.
    Superseded {
        in_tools: bool,
    },
    /// A hook ended the turn.
    Stopped,
    /// A hook of `Stop` ended the turn.
    Prevented,
    Deferred(Value),
    /// The model has given its structured output.
    Structured(Value),
    /// The model has failed to give it, the last time with this error.
    NoOutput {
        attempts: usize,
        error: String,
    },
    MaxTurns(u64),
    /// The answers have cost as many USD as they may.
    MaxBudget(f64),
    /// The Messages API failed.
    Failed {
        text: String,
        error: Option<ApiError>,
    },
    /// The connection to the model was cut too often.
    Lost(String),
    /// The model refused.
    Refused(String),
    /// The script is used up.
    Exhausted,
}

impl End {
    /// Whether the turn's prompts were not answered to the end.
    pub(super) fn is_interrupted(&self) -> bool {
        matches!(self, Self::Interrupted { .. } | Self::Superseded { .. })
    }
}

impl Cli {
    /// Sends the result and returns whether it is an error. Before it comes the `news` of the
    /// prompts that the turn has taken up.
    pub(super) fn say_result_message(&self, end: End, news: &str) -> bool {
        let (turn, models, number) = {
            let state = &mut *self.state();
            state.results += 1;
            let turn = state.turn.take().unwrap_or_default();
            (turn, state.tokens.clone(), state.results - 1)
        };
        turn.taken_up.iter().for_each(|uuid| self.report_prompt(uuid, news));
        let cost = usage::total_cost(&models);
        let mut message = json!({
            "type": "result", "subtype": "success", "is_error": false,
            "duration_ms": 0, "duration_api_ms": 0,
            "num_turns": turn.added + u64::from(!matches!(end, End::Blocked(_))),
            "stop_reason": turn.stop_reason, "total_cost_usd": cost,
            "usage": usage::of_turn(turn.tokens), "modelUsage": usage::by_model(&models),
            "permission_denials": turn.denials, "terminal_reason": "completed",
            "api_error_status": null, "result_index": number, "queued_turn_count": 0,
        });
        if let Some(tokens) = turn.first_input {
            message["first_request_input_tokens"] = tokens.into();
            message["first_request_cache_read_input_tokens"] = 0.into();
        }
        if let Some(prompt) = turn.prompt() {
            message["user_message_uuid"] = prompt.as_str().into();
            message["user_message_uuids"] = json!(turn.all_prompts());
        }
        tell(&mut message, end, turn.speaker.text, turn.stop_reason.as_deref());
        let is_error = message["is_error"] == true;
        if is_error {
            let first = ["first_request_input_tokens", "first_request_cache_read_input_tokens"];
            remove(&mut message, &first);
        }
        self.say_message(message);
        is_error
    }
}

/// Tells how the turn ended.
fn tell(message: &mut Value, end: End, text: String, stop_reason: Option<&str>) {
    let mut put = |name: &str, value: Value| message[name] = value;
    match end {
        End::Completed => put("result", text.into()),
        End::Prevented => {
            put("result", text.into());
            put("terminal_reason", "stop_hook_prevented".into());
        }
        End::Blocked(text) => {
            put("result", text.into());
            remove(message, &["terminal_reason", "api_error_status"]);
        }
        End::Stopped => {
            put("result", "".into());
            put("terminal_reason", "hook_stopped".into());
        }
        End::Superseded { in_tools } => {
            put("result", "".into());
            put("terminal_reason", aborted(in_tools).into());
        }
        End::Deferred(call) => {
            put("result", "".into());
            put("stop_reason", "tool_deferred".into());
            put("terminal_reason", "tool_deferred".into());
            put("deferred_tool_use", call);
        }
        End::Structured(output) => {
            put("result", output.to_string().into());
            put("structured_output", output);
        }
        End::Failed { text, error } => {
            fail_at_api(message, text, "stop_sequence");
            if let Some(error) = error {
                message["terminal_reason"] = api_error::terminal_reason(&error).into();
                message["api_error_status"] = error.status.into();
                message["api_error_type"] = error.kind.into();
            }
        }
        End::Lost(text) => {
            fail_at_api(message, text, "stop_sequence");
            message["api_error"] = "connection_failed".into();
        }
        End::Refused(text) => fail_at_api(message, text, "refusal"),
        End::Interrupted { in_tools } => {
            let stop_reason = stop_reason.unwrap_or("null");
            let error = format!(
                "[ede_diagnostic] result_type=user last_content_type=n/a stop_reason={stop_reason}"
            );
            fail(message, "error_during_execution", error, aborted(in_tools));
        }
        End::MaxTurns(turns) => {
            let error = format!("Reached maximum number of turns ({turns})");
            fail(message, "error_max_turns", error, "max_turns");
        }
        End::NoOutput { attempts, error } => {
            let error = format!(
                "Failed to provide valid structured output after {attempts} attempts — last \
                 StructuredOutput error: {error}"
            );
            let subtype = "error_max_structured_output_retries";
            fail(message, subtype, error, "structured_output_retry_exhausted");
        }
        End::MaxBudget(budget) => {
            let error = format!("Reached maximum budget (${budget})");
            fail(message, "error_max_budget_usd", error, "budget_exhausted");
        }
        End::Exhausted => {
            let error = "The script of the CLI has no more turns".to_owned();
            fail(message, "error_during_execution", error, "model_error");
        }
    }
}

fn aborted(in_tools: bool) -> &'static str {
    if in_tools { "aborted_tools" } else { "aborted_streaming" }
}

/// Makes it an error result of the Messages API.
fn fail_at_api(message: &mut Value, text: String, stop_reason: &str) {
    message["is_error"] = true.into();
    message["result"] = text.into();
    message["stop_reason"] = stop_reason.into();
    message["terminal_reason"] = "api_error".into();
}

/// Makes it an error result, which has `errors` instead of `result`.
fn fail(message: &mut Value, subtype: &str, error: String, terminal_reason: &str) {
    message["subtype"] = subtype.into();
    message["is_error"] = true.into();
    message["errors"] = json!([error]);
    message["terminal_reason"] = terminal_reason.into();
    remove(message, &["api_error_status"]);
}

fn remove(message: &mut Value, names: &[&str]) {
    if let Value::Object(members) = message {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
}
