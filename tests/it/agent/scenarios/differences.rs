//! What cannot be the same on both CLIs, and why.

/// Members of messages that are not compared: of which messages (all of them for `""`), the names,
/// at any depth, and the reason.
pub(super) const MEMBERS: [(&str, &[&str], &str); 15] = [
    (
        "",
        &[
            "timestamp",
            "duration_ms",
            "duration_api_ms",
            "thinking_duration_ms",
            "retry_delay_ms",
            "ttft_ms",
            "ttft_stream_ms",
            "time_to_request_ms",
            "first_content_frame_ms",
            "request_sent_wall_ms",
            "end_time",
            "total_duration_ms",
            "total_api_duration_ms",
        ],
        "times",
    ),
    ("", &["total_cost_usd", "costUSD"], "costs"),
    ("", &["contextWindow", "maxOutputTokens"], "the model decides them"),
    (
        "system/init",
        &[
            "slash_commands",
            "terminal_slash_commands",
            "agents",
            "skills",
            "plugins",
            "capabilities",
            "apiKeySource",
            "analytics_disabled",
            "product_feedback_disabled",
            "memory_paths",
            "messaging_socket_path",
        ],
        "what comes with the program, its account and its files; a test in memory has none of it",
    ),
    (
        "system/init",
        &[
            "fast_mode_state",
            "fast_mode_disabled_reason",
            "per_turn_effort_active",
            "ultrathink_available",
            "ultrathink_typed_raises",
            "view_mode",
        ],
        "switches of the terminal that no type names",
    ),
    (
        "result",
        &[
            "fast_mode_state",
            "fast_mode_disabled_reason",
            "subagent_stats",
            "safety_stops",
            "model_usage_since_last_result",
        ],
        "statistics that no type names",
    ),
    ("user", &["filePath"], "a plan is stored in no file"),
    ("hook", &["transcript_path", "effort"], "no transcript is written; the model has the effort"),
    (
        "system/task_notification",
        &["output_file", "usage"],
        "no file is written; the real usage counts time",
    ),
    (
        "user/agent",
        &["message", "tool_use_result"],
        "the real CLI frames the report of a subagent with notices and statistics",
    ),
    ("system/task_updated", &["run_id"], "it has the time in it"),
    (
        "answer/get_settings",
        &[
            "served_settings_state",
            "advisor",
            "ultracode",
            "ultracodeRequested",
            "ultracodeAvailable",
            "ultrathinkAvailable",
            "outsideFileToolReadsBlocked",
            "outsideFileToolWritesBlocked",
            "outsideBlocksCountLaunchFoldersOnly",
            "launchEnvLeftOwnFilesInPlace",
        ],
        "switches that no type names",
    ),
    ("answer/get_hooks_listing", &["eventCatalog", "policy"], "statistics that no type names"),
    ("answer/get_binary_version", &["buildTime", "oldestDesktopSdk"], "of the real program"),
    ("answer/export_conversation", &["default_filename"], "it has the time in it"),
];

/// Messages that only the real CLI sends, and why the other does not.
pub(super) const MESSAGES: [(&str, &str); 1] =
    [("system/task_progress", "it comes at a time of its own, with a time in it")];

/// Texts that are compared only up to these words, and why.
pub(super) const TEXTS: [(&str, &str); 3] = [
    ("Output does not match required schema: ", "problems are named in other words"),
    (" bytes) saved to ", "nothing is saved in memory"),
    ("Prompt is too long", "the real CLI counts what it has sent"),
];
