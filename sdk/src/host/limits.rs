//! The bounds of a session's calls.

use std::time::Duration;

/// How many calls of a session run and wait at once.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many calls run at once, at least 1. One that goes on as a task has been answered, and
    /// counts among [those](crate::ToolRegistryBuilder::max_tasks) only. Default: 1,024.
    pub max_running: usize,
    /// How many bytes of requests may wait for a call to end. Default: 64 MiB.
    pub max_waiting: usize,
    /// How many calls may wait for another call to end, at least 1. Default: 65,536.
    pub max_waiting_calls: usize,
    /// How many threads run plain functions, at least 1. Default: 64.
    pub sync_threads: usize,
    /// How long a client waits for a result before its call goes on as a task.
    pub(crate) task_after: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_running: 1_024,
            max_waiting: 64 * 1024 * 1024,
            max_waiting_calls: 65_536,
            sync_threads: 64,
            task_after: Duration::from_secs(1),
        }
    }
}
