//! The options of the session.

/// Which conversation is continued, and how.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionOptions {
    #[cfg(feature = "sessions")]
    pub(crate) store: super::store::StoreOptions,
    pub(crate) continue_conversation: bool,
    pub(crate) resume: Option<String>,
    pub(crate) resume_session_at: Option<String>,
    pub(crate) resume_drops_turn: Option<String>,
    pub(crate) fork: bool,
    pub(crate) session_id: Option<String>,
    pub(crate) no_persistence: bool,
    pub(crate) title: Option<String>,
    /// A user can stop each task.
    pub(crate) per_task_stop: bool,
}
