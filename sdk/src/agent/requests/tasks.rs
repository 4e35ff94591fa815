//! Tasks in the background.

use serde_json::json;

use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::wire::{Object, kept};

kept! {
    /// The end of what a task in the background has printed.
    pub struct TaskOutput {
        /** The last 8 KiB at most, escape sequences included. */ pub output: String,
        /** The size of the whole output in bytes. */ pub total_bytes: u64,
        /** The beginning is missing. */ pub truncated: bool,
    }
}

/// Tasks in the background.
impl Handle {
    /// Stops a task, and a
    /// [`TaskNotificationMessage`](crate::agent::message::system::TaskNotificationMessage) says so.
    /// The CLI does not refuse the id of a task that has ended.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn stop_task(&self, task_id: &str) -> Result<(), ControlError> {
        self.request("stop_task", json!({"task_id": task_id})).await.map(drop)
    }

    /// Lets commands and subagents that the conversation waits for go on in the background: the one
    /// of a tool call, or all. A command is among them once it has run for some time, which a
    /// [`TaskStartedMessage`](crate::agent::message::system::TaskStartedMessage) says; before that
    /// it goes on in the foreground. False if that call has nothing to put there; for all it is
    /// true, also if there was nothing.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn background_tasks(&self, tool_use_id: Option<&str>) -> Result<bool, ControlError> {
        let body = Object::default().optional("tool_use_id", tool_use_id).finish();
        let is_done: Option<bool> = self.member("background_tasks", &body, "backgrounded").await?;
        Ok(is_done.unwrap_or(true))
    }

    /// The output of a command that runs, or has run, in the background.
    ///
    /// # Errors
    ///
    /// It is no command of this session, and as for all requests: see [`Handle`].
    pub async fn get_task_output(&self, task_id: &str) -> Result<TaskOutput, ControlError> {
        self.typed("get_task_output", &json!({"task_id": task_id})).await
    }
}
