//! Errors of the Messages API: the message that tells of one, and when it is asked again.

use serde_json::{Value, json};

use super::cli::Cli;
use super::json::merge;
use crate::testing::reply::ApiError;

impl Cli {
    /// Reports that the API is asked once more after a failure.
    pub(super) fn say_retry(&self, error: Option<&ApiError>, attempt: u64) {
        let word = match error.map(|error| error.status) {
            Some(529) => "overloaded",
            Some(_) => error.map_or("unknown", word),
            None => "unknown",
        };
        let delay = 500 << attempt.saturating_sub(1).min(6);
        self.say_message(json!({
            "type": "system", "subtype": "api_retry", "attempt": attempt,
            "max_retries": self.setup.max_retries, "retry_delay_ms": delay,
            "error_status": error.map(|error| error.status), "error": word,
        }));
    }

    /// Whether the API is asked again after this failure, of which it was the `attempt`th.
    pub(super) fn retries(&self, error: Option<&ApiError>, attempt: u64) -> bool {
        let is_passing =
            |error: &ApiError| matches!(error.status, 408 | 409 | 429) || error.status >= 500;
        attempt <= self.setup.max_retries && error.is_none_or(is_passing)
    }

    /// Says that the API has failed, in the name of the model. Returns the text.
    pub(super) fn say_api_error(&self, error: &ApiError) -> String {
        let ApiError { status, message, .. } = error;
        let text = match status {
            _ if is_long_prompt(error) => "Prompt is too long".to_owned(),
            401 => "Invalid API key · Fix external API key".to_owned(),
            403 => format!("Failed to authenticate. API Error: 403 {message}"),
            404 => format!(
                "There's an issue with the selected model ({}). It may not exist or you may not \
                 have access to it.",
                self.asked_model()
            ),
            413 => "Request too large (max 32MB). Accumulated images and attachments in the \
                    conversation pushed the request over the limit. Remove older images or \
                    compact the conversation."
                .to_owned(),
            429 => format!("API Error: Request rejected (429) · {message}"),
            500.. => {
                let gateway = self.setup.gateway.as_ref().map_or_else(String::new, |gateway| {
                    format!(" If it persists, check your inference gateway ({gateway}).")
                });
                format!(
                    "API Error: {status} {message}. This is a server-side issue, usually \
                     temporary — try again in a moment.{gateway}"
                )
            }
            _ => format!("API Error: {status} {message}"),
        };
        let others = json!({"api_error_status": status, "api_error_type": error.kind});
        self.say_synthetic(&text, word(error), others);
        text
    }

    /// An answer that the CLI makes up to tell of an error.
    pub(super) fn say_synthetic(&self, text: &str, error: &str, others: Value) {
        self.say_synthetic_for("stop_sequence", text, error, others);
    }

    /// Like [`say_synthetic`](Self::say_synthetic), with this stop reason.
    pub(super) fn say_synthetic_for(
        &self,
        stop_reason: &str,
        text: &str,
        error: &str,
        others: Value,
    ) {
        let failure = (error.to_owned(), text.to_owned());
        self.with_turn(|turn| turn.failure = Some(failure));
        let id = self.uuid();
        // An answer that keeps its own stop reason has no sequence.
        let stop_sequence = (stop_reason != "tool_use").then_some("");
        let usage = json!({
            "output_tokens_details": null, "input_tokens": 0, "output_tokens": 0,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
            "service_tier": null,
            "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
            "inference_geo": null, "iterations": null, "speed": null, "fallback_credit": null,
        });
        let mut message = json!({
            "type": "assistant",
            "message": {
                "diagnostics": null, "id": id, "container": null, "model": "<synthetic>",
                "role": "assistant", "stop_details": null, "stop_reason": stop_reason,
                "stop_sequence": stop_sequence, "type": "message", "usage": usage,
                "content": [{"type": "text", "text": text}], "context_management": null,
            },
            "parent_tool_use_id": null, "error": error, "is_api_error_message": true,
        });
        merge(&mut message, others);
        self.with_turn(|turn| turn.speaker.text = text.to_owned());
        self.say_attributed(message, true);
    }
}

/// Why the turn ends with the error.
pub(super) fn terminal_reason(error: &ApiError) -> &'static str {
    match error.status {
        _ if is_long_prompt(error) => "prompt_too_long",
        413 => "image_error",
        _ => "api_error",
    }
}

fn is_long_prompt(error: &ApiError) -> bool {
    error.status == 400 && error.message.starts_with("prompt is too long")
}

fn word(error: &ApiError) -> &'static str {
    match error.status {
        _ if is_long_prompt(error) => "invalid_request",
        401 | 403 => "authentication_failed",
        404 => "model_not_found",
        413 => "invalid_request",
        429 => "rate_limit",
        500.. => "server_error",
        _ => "unknown",
    }
}
