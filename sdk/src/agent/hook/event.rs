//! The events, a type each, which ties a hook's matcher, input and output together.

use super::input::*;
use crate::agent::wire::RawJson;

/// An event that hooks are called at.
pub trait HookEvent: sealed::Sealed + Send + 'static {
    /// The input of its hooks.
    type Input: From<RawJson> + Send + 'static;
}

mod sealed {
    pub trait Sealed {}
}

/// An event that is matched by a field of its input.
pub trait Matched: HookEvent {}

/// Events whose hooks can add to the model's context.
pub trait AddsContext: HookEvent {}

/// Events whose hooks can allow or deny it.
pub trait Decides: HookEvent {}

/// Events whose hooks can answer a question for the user.
pub trait Elicits: HookEvent {}

/// Events whose hooks can give the session a title.
pub trait NamesSession: HookEvent {}

/// Events whose hooks can hide a prompt that they block.
pub trait ReplacesPrompt: HookEvent {}

/// Events whose hooks can say which files are watched.
pub trait WatchesPaths: HookEvent {}

/// An event that this version does not know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Raw;

impl sealed::Sealed for Raw {}

impl HookEvent for Raw {
    type Input = RawHookInput;
}

/// Calls the macro `$define` with all events: `Event(Input) => constructor by matched field, [what
/// its output can]`. `= "Name"` is the event's name where it is not the type's.
macro_rules! events {
    ($define:ident) => {
        // What a matcher is compared with was read in CLI 2.1.328.
        $define! {
            /// Before a tool is called, whether or not it needs a permission.
            PreToolUse(PreToolUseInput) => pre_tool_use by tool_name, [AddsContext, Decides];
            /// Before a shell command runs that the text of a skill or of a slash command contains,
            /// after an exclamation mark and in backticks. Claude Code 2.1.332 calls these hooks,
            /// and 2.1.328 does not know the event.
            PreSkillShellCommand(PreSkillShellCommandInput)
                => pre_skill_shell_command by tool_name, [Decides];
            /// After a tool has succeeded.
            PostToolUse(PostToolUseInput) => post_tool_use by tool_name, [AddsContext];
            /// After a tool has failed.
            PostToolUseFailure(PostToolUseFailureInput)
                => post_tool_use_failure by tool_name, [AddsContext];
            /// After all tools of one answer of the model's.
            PostToolBatch(PostToolBatchInput) => post_tool_batch by nothing, [AddsContext];
            /// When a permission is asked for. The permission callback is asked at the same time,
            /// and the first answer counts.
            PermissionRequested(PermissionRequestInput) = "PermissionRequest"
                => permission_request by tool_name, [];
            /// After the classifier has refused a call.
            PermissionDenied(PermissionDeniedInput) => permission_denied by tool_name, [];
            /// When the CLI wants attention.
            Notification(NotificationInput) => notification by notification_type, [AddsContext];
            /// Before a prompt is worked on.
            UserPromptSubmit(UserPromptSubmitInput)
                => user_prompt_submit by nothing, [AddsContext, NamesSession, ReplacesPrompt];
            /// Before a command becomes a prompt.
            UserPromptExpansion(UserPromptExpansionInput)
                => user_prompt_expansion by command_name, [AddsContext, ReplacesPrompt];
            /// When a session begins anew after `/clear`, or was compacted. Hooks of this program
            /// are not called when the CLI starts or resumes a session, as those of the settings
            /// are.
            SessionStart(SessionStartInput)
                => session_start by source, [AddsContext, NamesSession, WatchesPaths];
            /// When a session ends with `/clear`. Hooks of this program are not called at the end
            /// of the run, as those of the settings are: the CLI's input is closed by then.
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
            /// When an MCP server asks the user something. Unless a hook answers, the elicitation
            /// callback is asked, and without one the answer is `cancel`.
            Elicitation(ElicitationInput) => elicitation by mcp_server_name, [Elicits];
            /// When the user has answered an MCP server.
            ElicitationResult(ElicitationResultInput)
                => elicitation_result by mcp_server_name, [Elicits];
            /// When settings have changed.
            ConfigChange(ConfigChangeInput) => config_change by source, [];
            /// When a git worktree is to be made, which the hook does and says where.
            WorktreeCreate(WorktreeCreateInput) => worktree_create by nothing, [];
            /// When a git worktree is to be removed.
            WorktreeRemove(WorktreeRemoveInput) => worktree_remove by nothing, [];
            /// When a file of instructions, such as `CLAUDE.md`, was read.
            InstructionsLoaded(InstructionsLoadedInput) => instructions_loaded by load_reason, [];
            /// When a command of the model's has changed the working folder. CLI 2.1.328 calls
            /// hooks of this program only if its settings have a list for this event or
            /// `FileChanged`, too; `{"hooks": {"CwdChanged": [{"hooks": []}]}}` will do, in
            /// [`settings`](crate::agent::AgentOptionsBuilder::settings).
            CwdChanged(CwdChangedInput) => cwd_changed by nothing, [WatchesPaths];
            /// When a file that is watched has changed. It is matched by its name, without the
            /// folders. CLI 2.1.328 does not watch a file because a hook of this program names it,
            /// but what a list in its settings names, such as
            /// `{"hooks": {"FileChanged": [{"matcher": ".env", "hooks": []}]}}`, and what the
            /// `watch_paths` of outputs name.
            FileChanged(FileChangedInput) => file_changed by file_path, [WatchesPaths];
            /// When a working folder was added.
            DirectoryAdded(DirectoryAddedInput) => directory_added by source, [];
            /// When a piece of an answer is about to be shown.
            MessageDisplay(MessageDisplayInput) => message_display by nothing, [];
        }
    };
}

macro_rules! define {
    ($($(#[$doc:meta])* $event:ident($input:ty) $(= $name:literal)?
        => $constructor:ident by $field:ident, [$($can:ident),*];)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
            pub struct $event;

            impl sealed::Sealed for $event {}

            impl HookEvent for $event {
                type Input = $input;
            }

            $(impl $can for $event {})*

            matched!($field $event);
        )*

        /// Every event: its name and what the CLI compares a matcher with.
        pub(super) const ALL: &[(&str, &str)] =
            &[$((name!($event $($name)?), stringify!($field))),*];
    };
}

/// The tool events must say of which tools; where another field is matched,
/// [`HookMatcher::matching`](super::HookMatcher::matching) narrows it down.
macro_rules! matched {
    (tool_name $event:ident) => {};
    (nothing $event:ident) => {};
    ($field:ident $event:ident) => {
        impl Matched for $event {}
    };
}

/// The event's name on the wire.
macro_rules! name {
    ($event:ident) => {
        stringify!($event)
    };
    ($event:ident $name:literal) => {
        $name
    };
}

events!(define);

pub(super) use {events, name};
