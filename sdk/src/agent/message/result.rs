use std::borrow::Cow;
use std::collections::BTreeMap;

use super::envelope::message;
use super::usage::{ModelUsage, Usage};
use super::user::MessageOrigin;
use crate::agent::wire::{RawJson, record};

message! {
    /// The end of a turn. Further turns may follow without a prompt, when a task in the background
    /// ends.
    ///
    /// ```
    /// use toolwright::agent::Message;
    ///
    /// let line = r#"{"type":"result","subtype":"error_max_turns","is_error":true,
    ///     "errors":["Reached maximum number of turns (3)"],"total_cost_usd":0.02}"#;
    /// let Message::Result(result) = Message::parse(line) else { unreachable!() };
    /// assert!(!result.is_success());
    /// assert_eq!(result.text(), "Reached maximum number of turns (3)");
    /// ```
    pub struct ResultMessage {
        /// `success`, `error_during_execution`, `error_max_turns`, `error_max_budget_usd` or
        /// `error_max_structured_output_retries`.
        pub subtype: String,
        /// The turn failed. This is so with some results of the subtype `success` too: then the
        /// text is the API's error.
        pub is_error: bool,
        /** The answer. An error result has `errors` instead. */ pub result: Option<String>,
        /** The errors. */ pub errors: Vec<String>,
        /** The answer by the schema that was given. */ pub structured_output: Option<RawJson>,
        /** How often the model answered in this turn. */ pub num_turns: u64,
        /** How long the turn took, in ms. */ pub duration_ms: u64,
        /// The time spent waiting for the API since the session began, in ms.
        pub duration_api_ms: u64,
        /// The cost since the session began, in USD. In a session that is resumed the CLI adds what
        /// it knows of earlier runs; [`RunSummary`](super::RunSummary) has the cost of this one.
        pub total_cost_usd: f64,
        /// The tokens that the main conversation used in this turn. Those of subagents, and of what
        /// the CLI asks the model by itself, are in `model_usage` alone.
        pub usage: Usage,
        /// All tokens and their cost since the session began, by model.
        pub model_usage: BTreeMap<String, ModelUsage> = "modelUsage",
        /// Tokens and cost since the result before this, or since the run began, by model; only
        /// newer CLIs say so.
        pub model_usage_since_last_result: BTreeMap<String, ModelUsage>,
        /// The tool calls of the turn that were denied.
        pub permission_denials: Vec<PermissionDenial>,
        /** Why the model stopped, such as `end_turn`. */ pub stop_reason: Option<String>,
        /// Why the turn ended, such as `completed`, `max_turns`, `aborted_tools` or `api_error`.
        pub terminal_reason: Option<String>,
        /// The API's HTTP status, if it answered with an error.
        pub api_error_status: Option<u16>,
        /// The tool call that a hook put off, which ended the turn.
        pub deferred_tool_use: Option<DeferredToolUse>,
        /// Why the CLI could not start, such as `cli_version_too_old`.
        pub startup_failure_reason: Option<String>,
        /// The configuration file that cannot be read.
        pub invalid_config_file: Option<InvalidConfigFile>,
        /// The user message that began the turn; of several, the last.
        pub user_message_uuid: Option<String>,
        /// The user messages that the turn has answered, at most 64: those that began it, then
        /// those that it took up while it ran.
        pub user_message_uuids: Vec<String>,
        /** Who began the turn. */ pub origin: Option<MessageOrigin>,
        /** Why the turn went on by itself. */ pub resume_reason: Option<String>,
        /** The command that answered instead of the model. */ pub local_command: Option<String>,
        /** How many prompts wait for their turn. */ pub queued_turn_count: Option<u64>,
        /** The result's number in its run, from 0. */ pub result_index: Option<u64>,
        /** When the credentials end, in RFC 3339. */ pub credential_expires_at: Option<String>,
        /** `off`, `cooldown` or `on`. */ pub fast_mode_state: Option<String>,
        /** Why fast mode is off. */ pub fast_mode_disabled_reason: Option<String>,
        /** How long the first token took, in ms. */ pub ttft_ms: Option<u64>,
        /** How long the first event of the stream took, in ms. */ pub ttft_stream_ms: Option<u64>,
        /// How long it took until the request was sent, in ms.
        pub time_to_request_ms: Option<u64>,
        /// The same since the CLI was started, in ms.
        pub time_to_request_from_spawn_ms: Option<u64>,
        /** When the request was sent, in ms since 1970. */ pub request_sent_wall_ms: Option<u64>,
        /// How long the first frame with content took, in ms.
        pub first_content_frame_ms: Option<u64>,
        /// How long the first post to a remote host took, in ms.
        pub first_stream_post_ms: Option<u64>,
        /** How long its acknowledgement took, in ms. */ pub first_stream_post_ack_ms: Option<u64>,
        /// How long it waited in the queue, in ms.
        pub first_stream_post_queue_wait_ms: Option<u64>,
        /// What it waited for, such as `durable_post` or `none`.
        pub first_stream_post_queued_behind: Option<String>,
        /** When it was posted, in ms since 1970. */ pub first_stream_post_wall_ms: Option<u64>,
        /// How long the first post of text to a remote host took, in ms.
        pub first_text_post_ms: Option<u64>,
        /// How long it waited in the queue, in ms.
        pub first_text_post_queue_wait_ms: Option<u64>,
        /// What it waited for, such as `durable_post` or `none`.
        pub first_text_post_queued_behind: Option<String>,
        /** When it was posted, in ms since 1970. */ pub first_text_post_wall_ms: Option<u64>,
        /** The CLI was started ahead of the prompt. */ pub warm_spare_claimed: Option<bool>,
        /// What the times above are counted from, in ms since 1970.
        pub time_origin_ms: Option<u64>,
    }
}

record! {
    /// A tool call that was denied.
    pub struct PermissionDenial {
        /** The tool. */ pub tool_name: String,
        /** The call's id. */ pub tool_use_id: String,
        /** The arguments, an object. */ pub tool_input: RawJson,
    }

    /// A tool call that a hook put off.
    pub struct DeferredToolUse {
        /** The call's id. */ pub id: String,
        /** The tool. */ pub name: String,
        /** The arguments, an object. */ pub input: RawJson,
    }

    /// A configuration file that cannot be read.
    pub struct InvalidConfigFile {
        /** Where it is. */ pub path: String,
        /** It is the user's, not a project's. */ pub is_global: bool,
        /** A backup was looked for. */ pub backup_searched: bool,
        /** Where the backup is. */ pub backup_path: Option<String>,
    }
}

/// Whether a result is a failure. One without a subtype is none.
pub(super) fn has_failed(is_error: bool, subtype: &str) -> bool {
    is_error || !matches!(subtype, "" | "success")
}

/// The kind of a failure, for behind its name. An error of the API has `success`, which says
/// nothing.
pub(in crate::agent) fn kind_of_error(subtype: &str) -> String {
    match subtype {
        "" | "success" => String::new(),
        _ => format!(" ({subtype})"),
    }
}

impl ResultMessage {
    /// The answer, or the errors with `; ` between them.
    pub fn text(&self) -> Cow<'_, str> {
        match (&self.result, self.errors.as_slice()) {
            (Some(result), _) => result.into(),
            (None, [error]) => error.into(),
            (None, errors) => errors.join("; ").into(),
        }
    }

    /// Whether the turn was ended before its time: by
    /// [`Handle::interrupt`](crate::agent::Handle::interrupt), a denial that
    /// [interrupts](crate::agent::Permission::and_interrupt), or, without being an error, a prompt
    /// of [`Priority::Now`](crate::agent::Priority::Now). Its
    /// [`terminal_reason`](Self::terminal_reason) is `aborted_streaming` or `aborted_tools`.
    pub fn is_interrupted(&self) -> bool {
        matches!(self.terminal_reason.as_deref(), Some("aborted_streaming" | "aborted_tools"))
    }

    /// Whether the turn began without a prompt: by the end of a task, a trigger, another agent.
    pub fn is_by_itself(&self) -> bool {
        self.resume_reason.is_some()
            || self.origin.as_ref().is_some_and(|origin| origin.kind != "human")
    }
}
