//! What a hook is told beside its input.

use crate::CancelToken;

/// What a hook is told beside its input.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct HookContext {
    /// The event's name.
    pub event: String,
    /// The id of the tool call that the event is about.
    pub tool_use_id: Option<String>,
    /// Says that the CLI no longer waits, because it took too long or because the turn was
    /// interrupted. The hook's future is dropped then; this is for what it has started.
    pub cancel: CancelToken,
}
