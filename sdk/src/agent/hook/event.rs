//! The events, a row each. They are types only: they give a hook's matcher, input and output the
//! same event.

use serde_json::value::RawValue;

use super::input::*;
use super::matcher::HookMatcher;
use super::output::{AddsContext, Decides, Elicits, NamesSession, ReplacesPrompt, WatchesPaths};

/// An event that hooks are called at.
pub trait HookEvent: sealed::Sealed + Send + 'static {
    /// What a hook gets.
    type Input: From<Box<RawValue>> + Send + 'static;
}

mod sealed {
    pub trait Sealed {}
}

/// An event that this version does not know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Raw;

impl sealed::Sealed for Raw {}

impl HookEvent for Raw {
    type Input = RawHookInput;
}

/// `Event(Input) => constructor matched by a field of the input, [what its output can]`. The tool
/// events must say of which tools; where another field is matched, [`HookMatcher::matching`]
/// narrows it down.
macro_rules! events {
    ($($(#[$doc:meta])* $event:ident($input:ty) => $constructor:ident by $field:ident, [$($can:ident),*];)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
            pub struct $event;

            impl sealed::Sealed for $event {}

            impl HookEvent for $event {
                type Input = $input;
            }

            $(impl $can for $event {})*

            constructor!($field, $(#[$doc])* $event, $constructor);
        )*

        /// Every event: its name and what the CLI compares a matcher with.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, &str)] = &[$((stringify!($event), stringify!($field))),*];
    };
}

macro_rules! constructor {
    (tool_name, $(#[$doc:meta])* $event:ident, $constructor:ident) => {
        impl HookMatcher<$event> {
            $(#[$doc])*
            ///
            /// `tools` is a name, several (`Edit|Write`), a regular expression (`mcp__calc__.*`) or
            /// `*`.
            pub fn $constructor(tools: impl Into<String>) -> Self {
                Self::of(stringify!($event)).with_matcher(tools.into())
            }
        }
    };
    (nothing, $(#[$doc:meta])* $event:ident, $constructor:ident) => {
        impl HookMatcher<$event> {
            $(#[$doc])*
            pub fn $constructor() -> Self {
                Self::of(stringify!($event))
            }
        }
    };
    ($field:ident, $(#[$doc:meta])* $event:ident, $constructor:ident) => {
        impl Matched for $event {}

        impl HookMatcher<$event> {
            $(#[$doc])*
            ///
            #[doc = concat!("[`matching`](HookMatcher::matching) narrows it down by `", stringify!($field), "`.")]
            pub fn $constructor() -> Self {
                Self::of(stringify!($event))
            }
        }
    };
}

/// An event that can be narrowed down by a field of its input.
pub trait Matched: HookEvent {}

// What a matcher is compared with was read in CLI 2.1.328.
events! {
    /// Before a tool is called, whether or not it needs a permission.
    PreToolUse(PreToolUseInput) => pre_tool_use by tool_name, [AddsContext, Decides];
    /// After a tool has succeeded.
    PostToolUse(PostToolUseInput) => post_tool_use by tool_name, [AddsContext];
    /// After a tool has failed.
    PostToolUseFailure(PostToolUseFailureInput) => post_tool_use_failure by tool_name, [AddsContext];
    /// After all tools of one answer of the model's.
    PostToolBatch(PostToolBatchInput) => post_tool_batch by nothing, [AddsContext];
    /// Before a permission is asked for.
    PermissionRequest(PermissionRequestInput) => permission_request by tool_name, [];
    /// After the classifier has refused a call.
    PermissionDenied(PermissionDeniedInput) => permission_denied by tool_name, [];
    /// When the CLI wants attention.
    Notification(NotificationInput) => notification by notification_type, [AddsContext];
    /// Before a prompt is worked on.
    UserPromptSubmit(UserPromptSubmitInput) => user_prompt_submit by nothing, [AddsContext, NamesSession, ReplacesPrompt];
    /// Before a command becomes a prompt.
    UserPromptExpansion(UserPromptExpansionInput) => user_prompt_expansion by command_name, [AddsContext, ReplacesPrompt];
    /// When a session begins, goes on or is compacted.
    SessionStart(SessionStartInput) => session_start by source, [AddsContext, NamesSession, WatchesPaths];
    /// When a session ends.
    SessionEnd(SessionEndInput) => session_end by reason, [];
    /// When the agent has finished its turn; blocking it makes the agent go on.
    Stop(StopInput) => stop by nothing, [AddsContext];
    /// When an API error has ended a turn.
    StopFailure(StopFailureInput) => stop_failure by error, [];
    /// When a subagent begins.
    SubagentStart(SubagentStartInput) => subagent_start by agent_type, [AddsContext];
    /// When a subagent has finished; blocking it makes it go on.
    SubagentStop(SubagentStopInput) => subagent_stop by agent_type, [AddsContext];
    /// Before the conversation is compacted.
    PreCompact(PreCompactInput) => pre_compact by trigger, [];
    /// After the conversation was compacted.
    PostCompact(PostCompactInput) => post_compact by trigger, [];
    /// Before another model is used.
    PreModelSwitch(PreModelSwitchInput) => pre_model_switch by to_model, [Decides];
    /// After another model is used.
    PostModelSwitch(PostModelSwitchInput) => post_model_switch by to_model, [AddsContext];
    /// When the CLI prepares a project.
    Setup(SetupInput) => setup by trigger, [AddsContext];
    /// When a member of a team is about to have nothing to do.
    TeammateIdle(TeammateIdleInput) => teammate_idle by nothing, [];
    /// When a task is put on the list.
    TaskCreated(TaskCreatedInput) => task_created by nothing, [];
    /// When a task is about to be done.
    TaskCompleted(TaskCompletedInput) => task_completed by nothing, [];
    /// When an MCP server asks the user something.
    Elicitation(ElicitationInput) => elicitation by mcp_server_name, [Elicits];
    /// When the user has answered an MCP server.
    ElicitationResult(ElicitationResultInput) => elicitation_result by mcp_server_name, [Elicits];
    /// When settings have changed.
    ConfigChange(ConfigChangeInput) => config_change by source, [];
    /// When a git worktree is to be made, which the hook does and says where.
    WorktreeCreate(WorktreeCreateInput) => worktree_create by nothing, [];
    /// When a git worktree is to be removed.
    WorktreeRemove(WorktreeRemoveInput) => worktree_remove by nothing, [];
    /// When a file of instructions, such as `CLAUDE.md`, was read.
    InstructionsLoaded(InstructionsLoadedInput) => instructions_loaded by load_reason, [];
    /// When the working folder has changed.
    CwdChanged(CwdChangedInput) => cwd_changed by nothing, [WatchesPaths];
    /// When a file that is watched has changed. It is matched by its name, without the folders.
    FileChanged(FileChangedInput) => file_changed by file_path, [WatchesPaths];
    /// When a working folder was added.
    DirectoryAdded(DirectoryAddedInput) => directory_added by source, [];
    /// When a piece of an answer is about to be shown.
    MessageDisplay(MessageDisplayInput) => message_display by nothing, [];
}
