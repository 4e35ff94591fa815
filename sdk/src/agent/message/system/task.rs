use std::collections::BTreeMap;

use crate::agent::message::envelope::message;
use crate::agent::wire::{RawJson, record};

message! {
    /// A task began: a subagent, a workflow or a program in the background.
    pub struct TaskStartedMessage {
        /** The task. */ pub task_id: String,
        /** Its run. */ pub run_id: Option<String>,
        /** The tool call that began it. */ pub tool_use_id: Option<String>,
        /** Its description. */ pub description: String,
        /** The kind of subagent. */ pub subagent_type: Option<String>,
        /** It runs in the background. */ pub is_backgrounded: Option<bool>,
        /** How many tasks it is below the main conversation. */ pub spawn_depth: Option<u64>,
        /** The task that began it. */ pub parent_task_id: Option<String>,
        /// `local_agent`, `local_workflow`, `local_bash`, `monitor` or another.
        pub task_type: Option<String>,
        /** The workflow's name. */ pub workflow_name: Option<String>,
        /** The subagent's prompt. */ pub prompt: Option<String>,
        /// It is the CLI's housekeeping, which is not to be shown within the conversation.
        pub skip_transcript: bool,
        /// It is no activity: the CLI's housekeeping, or a watcher of live updates, also one that
        /// the user wants.
        pub ambient: bool,
    }

    /// Something about a task changed. For some tasks nothing else tells of their end.
    pub struct TaskUpdatedMessage {
        /** The task. */ pub task_id: String,
        /** Its run. */ pub run_id: Option<String>,
        /** What changed. */ pub patch: TaskPatch,
    }

    /// How far a task is.
    pub struct TaskProgressMessage {
        /** The task. */ pub task_id: String,
        /** Its run. */ pub run_id: Option<String>,
        /** The tool call that began it. */ pub tool_use_id: Option<String>,
        /** Its description. */ pub description: String,
        /** The kind of subagent. */ pub subagent_type: Option<String>,
        /** What it has used so far. */ pub usage: TaskUsage,
        /** The tool that it called last. */ pub last_tool_name: Option<String>,
        /** A summary of what it has done so far. */ pub summary: Option<String>,
    }

    /// A task ended.
    pub struct TaskNotificationMessage {
        /** The task. */ pub task_id: String,
        /** Its run. */ pub run_id: Option<String>,
        /** The tool call that began it. */ pub tool_use_id: Option<String>,
        /** `completed`, `failed` or `stopped`. */ pub status: String,
        /** Why it ended, if not by itself: `worker_restart`. */ pub reason: Option<String>,
        /** The file with its output. */ pub output_file: String,
        /** A summary of what it has done. */ pub summary: String,
        /** What it used. */ pub usage: Option<TaskUsage>,
        /** The resources that it refers to. */ pub resource_links: Vec<McpResourceLink>,
        /// It is the CLI's housekeeping, which is not to be shown within the conversation.
        pub skip_transcript: bool,
        /// It is no activity: the CLI's housekeeping, or a watcher of live updates, also one that
        /// the user wants.
        pub ambient: bool,
    }

    /// All tasks that run in the background now.
    pub struct BackgroundTasksChangedMessage {
        /** The tasks; they replace those of the message before. */ pub tasks: Vec<BackgroundTask>,
    }
}

record! {
    /// What changed about a task.
    pub struct TaskPatch {
        /// `pending`, `running`, `completed`, `failed`, `killed` or `paused`.
        pub status: Option<String>,
        /** Its description. */ pub description: Option<String>,
        /** When it ended, in ms since 1970. */ pub end_time: Option<u64>,
        /** How long it was paused, in ms. */ pub total_paused_ms: Option<u64>,
        /** Why it failed. */ pub error: Option<String>,
        /** It runs in the background. */ pub is_backgrounded: Option<bool>,
    }

    /// What a task used.
    pub struct TaskUsage {
        /** Tokens, of all kinds. */ pub total_tokens: u64,
        /** Tool calls. */ pub tool_uses: u64,
        /** Time, in ms. */ pub duration_ms: u64,
    }

    /// A resource of an MCP server.
    pub struct McpResourceLink {
        /** Its address. */ pub uri: String,
        /** Its name. */ pub name: String,
        /** Its name for people. */ pub title: Option<String>,
        /** What it is. */ pub description: Option<String>,
        /** Its media type. */ pub mime_type: Option<String> = "mimeType",
        /** Its size, in bytes. */ pub size: Option<u64>,
        /** Its audience and priority, in MCP's form. */ pub annotations: BTreeMap<String, RawJson>,
    }

    /// A task that runs in the background.
    pub struct BackgroundTask {
        /** The task. */ pub task_id: String,
        /** Its run. */ pub run_id: Option<String>,
        /// `local_agent`, `local_workflow`, `local_bash`, `monitor` or another.
        pub task_type: String,
        /** The kind of subagent. */ pub subagent_type: Option<String>,
        /** Its description. */ pub description: String,
        /** The task that began it. */ pub parent_task_id: Option<String>,
        /// It is no activity: the CLI's housekeeping, or a watcher of live updates, also one that
        /// the user wants.
        pub ambient: bool,
    }
}
