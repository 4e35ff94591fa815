//! Inputs of the events about subagents, teams and tasks.

use super::{BackgroundTaskSummary, SessionCronSummary, inputs};

inputs! {
    /// The input of a `SubagentStart` hook.
    SubagentStartInput [subagent] {}

    /// The input of a `SubagentStop` hook.
    SubagentStopInput [subagent] {
        /// Whether the subagent already goes on because of a hook.
        stop_hook_active: bool,
        /// The file that the subagent's conversation is written to.
        agent_transcript_path: String,
        /** What the subagent said at the end. */ last_assistant_message: Option<String>,
        /** What still runs. */ background_tasks: Vec<BackgroundTaskSummary>,
        /** What is scheduled. */ session_crons: Vec<SessionCronSummary>,
    }

    /// The input of a `TeammateIdle` hook.
    TeammateIdleInput {
        /** The member. */ teammate_name: String,
        /** The team. */ team_name: String,
    }
}

inputs! {
    /// The input of a `TaskCreated` hook.
    TaskCreatedInput,
    /// The input of a `TaskCompleted` hook.
    TaskCompletedInput,
    => {
        /** The task. */ task_id: String,
        /** Its name. */ task_subject: String,
        /** Its purpose. */ task_description: Option<String>,
        /** The member of the team. */ teammate_name: Option<String>,
        /** The team. */ team_name: Option<String>,
    }
}
