//! The result message of a turn.

use serde_json::{Value, json};

use super::api_message::TOKENS;
use super::cli::Cli;

/// The cost of an answer of the model, in USD.
const COST: f64 = 0.00024;

/// How a turn ended.
pub(super) enum End {
    Completed,
    /// A hook blocked the prompt.
    Blocked(String),
    /// Interrupted while tools ran, or else while the model wrote.
    Interrupted {
        in_tools: bool,
    },
    /// A hook ended the turn.
    Stopped,
    Deferred(Value),
    MaxTurns(u64),
    /// The Messages API failed.
    Failed(String),
    /// The script is used up.
    Exhausted,
}

impl Cli {
    /// Sends the result and returns whether it is an error.
    pub(super) fn say_result_message(&self, end: End) -> bool {
        let (turn, model, answers, number) = {
            let state = &mut *self.state();
            state.results += 1;
            let turn = state.turn.take().unwrap_or_default();
            (turn, state.model.clone(), state.answers, state.results - 1)
        };
        let (tokens, all_tokens) = (turn.answers * TOKENS, answers * TOKENS);
        let mut message = json!({
            "type": "result", "subtype": "success", "is_error": false,
            "duration_ms": 0, "duration_api_ms": 0,
            "num_turns": turn.added + u64::from(turn.answers > 0),
            "stop_reason": "end_turn",
            "total_cost_usd": cost(answers),
            "usage": {"input_tokens": tokens, "output_tokens": tokens},
            "modelUsage": {model: {
                "inputTokens": all_tokens, "outputTokens": all_tokens, "costUSD": cost(answers),
            }},
            "permission_denials": turn.denials,
            "terminal_reason": "completed", "result_index": number,
        });
        let mut put = |name: &str, value: Value| message[name] = value;
        match end {
            End::Completed => match turn.output {
                Some(output) => {
                    put("result", output.to_string().into());
                    put("structured_output", output);
                }
                None => put("result", turn.text.into()),
            },
            End::Blocked(text) => {
                put("stop_reason", Value::Null);
                put("result", text.into());
            }
            End::Stopped => {
                put("result", "".into());
                put("stop_reason", "tool_use".into());
                put("terminal_reason", "hook_stopped".into());
            }
            End::Deferred(call) => {
                put("result", "".into());
                put("stop_reason", "tool_deferred".into());
                put("terminal_reason", "tool_deferred".into());
                put("deferred_tool_use", call);
            }
            End::Failed(text) => {
                put("is_error", true.into());
                put("result", text.into());
                put("stop_reason", "stop_sequence".into());
                put("terminal_reason", "api_error".into());
            }
            End::Interrupted { in_tools } => {
                let (stop_reason, reason) = match in_tools {
                    true => ("tool_use", "aborted_tools"),
                    false => ("end_turn", "aborted_streaming"),
                };
                let error = format!(
                    "[ede_diagnostic] result_type=user last_content_type=n/a \
                     stop_reason={stop_reason}"
                );
                fail(&mut put, "error_during_execution", error, stop_reason, reason);
            }
            End::MaxTurns(turns) => {
                let error = format!("Reached maximum number of turns ({turns})");
                fail(&mut put, "error_max_turns", error, "tool_use", "max_turns");
            }
            End::Exhausted => {
                let error = "The script of the CLI has no more turns".to_owned();
                fail(&mut put, "error_during_execution", error, "end_turn", "model_error");
            }
        }
        if !turn.prompt.is_empty() {
            put("user_message_uuids", json!([turn.prompt]));
            put("user_message_uuid", turn.prompt.into());
        }
        let is_error = message["is_error"] == true;
        self.say_message(message);
        is_error
    }
}

/// Makes it an error result, which has `errors` instead of `result`.
fn fail(
    put: &mut impl FnMut(&str, Value),
    subtype: &str,
    error: String,
    stop_reason: &str,
    terminal_reason: &str,
) {
    put("subtype", subtype.into());
    put("is_error", true.into());
    put("errors", json!([error]));
    put("stop_reason", stop_reason.into());
    put("terminal_reason", terminal_reason.into());
}

fn cost(answers: u64) -> f64 {
    // No script has so many answers that the number would be rounded.
    f64::from(u32::try_from(answers).unwrap_or(u32::MAX)) * COST
}
