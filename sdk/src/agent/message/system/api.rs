//! Requests to the API: repeated, refused, in progress.

use crate::agent::message::envelope::message;
use crate::agent::wire::record;

message! {
    /// The API failed and will be asked again.
    pub struct ApiRetryMessage {
        /** Which attempt it will be. */ pub attempt: u64,
        /** How many there may be. */ pub max_retries: u64,
        /** How long the CLI waits, in ms. */ pub retry_delay_ms: u64,
        /** The API's HTTP status, if it answered. */ pub error_status: Option<u16>,
        /** What failed, such as `overloaded`. */ pub error: String,
        /** The API did not answer at all. */ pub no_response: Option<NoResponse>,
    }

    /// A control request takes its time.
    pub struct ControlRequestProgressMessage {
        /** The control request. */ pub request_id: String,
        /** `started` or `api_retry`. */ pub status: String,
        /** Which attempt it will be. */ pub attempt: Option<u64>,
        /** How many there may be. */ pub max_retries: Option<u64>,
        /** How long the CLI waits, in ms. */ pub retry_delay_ms: Option<u64>,
        /** The API's HTTP status, if it answered. */ pub error_status: Option<u16>,
    }

    /// The model refused, and another takes its place.
    pub struct ModelRefusalFallbackMessage {
        /** `refusal`. */ pub trigger: String,
        /** `retry`, `revert` or `sticky`. */ pub direction: String,
        /** For how much it holds: `session` or `local`. */ pub scope: Option<String>,
        /** The model that refused. */ pub original_model: String,
        /** The model in its place. */ pub fallback_model: String,
        /** The API's id of the request. */ pub request_id: Option<String>,
        /** What kind of refusal. */ pub api_refusal_category: Option<String>,
        /** Why the model refused. */ pub api_refusal_explanation: Option<String>,
        /** The messages that are taken back. */ pub retracted_message_uuids: Vec<String>,
        /** The user message that was refused. */ pub refused_user_message_uuid: Option<String>,
        /** All this, in words. */ pub content: String,
    }

    /// The model refused, and no other takes its place.
    pub struct ModelRefusalNoFallbackMessage {
        /** The model that refused. */ pub original_model: String,
        /** The API's id of the request. */ pub request_id: Option<String>,
        /** What kind of refusal. */ pub api_refusal_category: Option<String>,
        /** Why the model refused. */ pub api_refusal_explanation: Option<String>,
        /** The user message that was refused. */ pub refused_user_message_uuid: Option<String>,
        /** All this, in words. */ pub content: String,
    }

    /// The model is thinking.
    pub struct ThinkingTokensMessage {
        /** How much it has thought, in tokens, about. */ pub estimated_tokens: u64,
        /** How much since the message before, in tokens, about. */ pub estimated_tokens_delta: u64,
        /** The user message that began the turn. */ pub user_message_uuid: Option<String>,
    }
}

record! {
    /// The API did not answer.
    pub struct NoResponse {
        /** How long it was waited for, in ms. */ pub waited_ms: u64,
        /** How long it will be waited for the next time, in ms. */ pub retry_wait_ms: u64,
    }
}
