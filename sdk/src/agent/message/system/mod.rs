//! Messages of the type `system`: news of the CLI itself.
//!
//! ```
//! use toolwright::agent::Message;
//! use toolwright::agent::message::SystemMessage;
//!
//! let line = r#"{"type":"system","subtype":"init","model":"opus","tools":["Read"]}"#;
//! let Message::System(SystemMessage::Init(init)) = Message::parse(line) else { unreachable!() };
//! assert_eq!((&*init.model, &*init.tools[0]), ("opus", "Read"));
//! ```

mod api;
mod hook;
mod init;
mod notice;
mod session;
mod task;

pub use api::{
    ApiRetryMessage, ControlRequestProgressMessage, ModelRefusalFallbackMessage,
    ModelRefusalNoFallbackMessage, NoResponse, ThinkingTokensMessage,
};
pub use hook::{HookProgressMessage, HookResponseMessage, HookStartedMessage};
pub use init::{InitMessage, LoadedPlugin, ManagedLock, McpServerError, PluginError};
pub use notice::{
    CommandsChangedMessage, ElicitationCompleteMessage, InformationalMessage,
    LocalCommandOutputMessage, MemoryRecallMessage, NotificationMessage, OtherSystemMessage,
    PermissionDeniedMessage, PluginInstallMessage, RecalledMemory, SlashCommand,
};
pub use session::{
    CompactBoundaryMessage, CompactMetadata, FailedFile, FilesPersistedMessage, MirrorErrorMessage,
    MirrorKey, PersistedFile, PreservedMessages, PreservedSegment, SessionStateChangedMessage,
    SessionWritesLostMessage, StatusMessage, WorkerShuttingDownMessage,
};
pub use task::{
    BackgroundTask, BackgroundTasksChangedMessage, McpResourceLink, TaskNotificationMessage,
    TaskPatch, TaskProgressMessage, TaskStartedMessage, TaskUpdatedMessage, TaskUsage,
};

use serde::{Serialize, Serializer};

use super::envelope::Envelope;
use crate::agent::wire::{self, Cursor};

macro_rules! subtypes {
    ($($(#[$meta:meta])* $subtype:literal => $variant:ident($type:ident),)*) => {
        /// News of the CLI itself: its set-up, its state, tasks, hooks and so on.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum SystemMessage {
            $($(#[$meta])* $variant(Box<$type>),)*
            /// A message that this version does not know, whole.
            Other(Box<OtherSystemMessage>),
        }

        impl SystemMessage {
            /// Its subtype, such as `init`.
            pub fn subtype(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $subtype,)*
                    Self::Other(message) => &message.subtype,
                }
            }

            pub(super) fn read(json: Cursor<'_>) -> Option<Self> {
                match json.member("subtype").as_deref() {
                    $(Some($subtype) => wire::read(json).map(Self::$variant),)*
                    _ => wire::read(json).map(Self::Other),
                }
            }

            pub(super) fn envelope(&self) -> &dyn Envelope {
                match self {
                    $(Self::$variant(message) => &**message,)*
                    Self::Other(message) => &**message,
                }
            }
        }
    };
}

subtypes! {
    /// How it is set up; comes at the beginning of each turn.
    "init" => Init(InitMessage),
    /// What was said up to here was summed up.
    "compact_boundary" => CompactBoundary(CompactBoundaryMessage),
    /// What it is about.
    "status" => Status(StatusMessage),
    /// The API failed and will be asked again.
    "api_retry" => ApiRetry(ApiRetryMessage),
    /// A control request takes its time.
    "control_request_progress" => ControlRequestProgress(ControlRequestProgressMessage),
    /// The model refused, and another takes its place.
    "model_refusal_fallback" => ModelRefusalFallback(ModelRefusalFallbackMessage),
    /// The model refused, and no other takes its place.
    "model_refusal_no_fallback" => ModelRefusalNoFallback(ModelRefusalNoFallbackMessage),
    /// What a command printed.
    "local_command_output" => LocalCommandOutput(LocalCommandOutputMessage),
    /// A hook begins.
    "hook_started" => HookStarted(HookStartedMessage),
    /// A hook says something.
    "hook_progress" => HookProgress(HookProgressMessage),
    /// A hook ended.
    "hook_response" => HookResponse(HookResponseMessage),
    /// How the installation of plugins goes.
    "plugin_install" => PluginInstall(PluginInstallMessage),
    /// A task began.
    "task_started" => TaskStarted(TaskStartedMessage),
    /// Something about a task changed.
    "task_updated" => TaskUpdated(TaskUpdatedMessage),
    /// How far a task is.
    "task_progress" => TaskProgress(TaskProgressMessage),
    /// A task ended.
    "task_notification" => TaskNotification(TaskNotificationMessage),
    /// All tasks that run in the background now.
    "background_tasks_changed" => BackgroundTasksChanged(BackgroundTasksChangedMessage),
    /// The model is thinking.
    "thinking_tokens" => ThinkingTokens(ThinkingTokensMessage),
    /// It is at rest, at work, or waits for an answer.
    "session_state_changed" => SessionStateChanged(SessionStateChangedMessage),
    /// The process that runs the session will end.
    "worker_shutting_down" => WorkerShuttingDown(WorkerShuttingDownMessage),
    /// The commands changed.
    "commands_changed" => CommandsChanged(CommandsChangedMessage),
    /// Something to show to the user.
    "notification" => Notification(NotificationMessage),
    /// Files were uploaded.
    "files_persisted" => FilesPersisted(FilesPersistedMessage),
    /// It looked up what it remembers.
    "memory_recall" => MemoryRecall(MemoryRecallMessage),
    /// What an MCP server asked by a URL is done, as it says. After a form none comes.
    "elicitation_complete" => ElicitationComplete(ElicitationCompleteMessage),
    /// A tool call was not permitted.
    "permission_denied" => PermissionDenied(PermissionDeniedMessage),
    /// A part of the transcript could not be given to the session store.
    "mirror_error" => MirrorError(MirrorErrorMessage),
    /// Something to show to the user in the conversation.
    "informational" => Informational(InformationalMessage),
    /// The disk is full: what should have been written is lost.
    "session_writes_lost" => SessionWritesLost(SessionWritesLostMessage),
}

/// As it came.
impl Serialize for SystemMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        wire::serialize(self.envelope().raw(), serializer)
    }
}
