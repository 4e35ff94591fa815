use super::envelope::message;
use crate::agent::wire::record;

message! {
    /// A tool is still running, or a hook of its call.
    pub struct ToolProgressMessage {
        /** The id of the message, such as `toolu_1-heartbeat-0`. */ pub tool_use_id: String,
        /** The tool, or the event of the hook. */ pub tool_name: String,
        /** The call's id. */ pub parent_tool_use_id: Option<String>,
        /** How long it has been running, in s. */ pub elapsed_time_seconds: f64,
        /** The task that it runs as. */ pub task_id: Option<String>,
        /** It has no news but that the tool still runs. */ pub heartbeat: bool,
        /** The kind of subagent that it runs. */ pub subagent_type: Option<String>,
        /** The subagent waits to ask the API again. */ pub subagent_retry: Option<SubagentRetry>,
    }
}

record! {
    /// A subagent waits to ask the API again.
    pub struct SubagentRetry {
        /** The subagent. */ pub agent_id: String,
        /** Which attempt it will be. */ pub attempt: u64,
        /** How many there may be. */ pub max_retries: u64,
        /** How long it waits, in ms. */ pub retry_delay_ms: u64,
        /** The API's HTTP status, if it answered. */ pub error_status: Option<u16>,
        /** What failed. */ pub error_category: String,
    }
}
