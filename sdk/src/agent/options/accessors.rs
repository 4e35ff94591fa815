//! What the client reads from the options.

use std::time::Duration;

use super::AgentOptions;
use crate::ToolRegistry;
use crate::agent::hook::Hooks;
use crate::agent::permission::PermissionCallback;

impl AgentOptions {
    /// The registries that the CLI reaches over the control protocol, in the order in which they
    /// were added.
    pub(crate) fn registries(&self) -> &[ToolRegistry] {
        &self.tools.registries
    }

    /// The hooks, with the ids that `initialize` registers them under.
    pub(crate) fn hooks(&self) -> Hooks {
        Hooks::new(self.tools.hooks.clone())
    }

    /// Whether a hook blocks when it fails, so that the run must not start with a CLI that ignores
    /// this.
    pub(crate) fn needs_on_failure(&self) -> bool {
        self.hooks().blocks_on_failure()
    }

    pub(crate) fn permission_callback(&self) -> Option<PermissionCallback> {
        self.tools.can_use_tool.clone()
    }

    /// Whether the CLI may send requests to this program during a run. Its input must then stay
    /// open until the end.
    pub(crate) fn needs_answers(&self) -> bool {
        self.tools.can_use_tool.is_some()
            || !self.tools.hooks.is_empty()
            || !self.tools.registries.is_empty()
    }

    /// Whether user messages carry `"client_composed":true`.
    pub(crate) fn is_verbatim(&self) -> bool {
        self.prompt.verbatim
    }

    pub(crate) fn max_line(&self) -> usize {
        self.limits.max_line
    }

    pub(crate) fn max_unread(&self) -> usize {
        self.limits.max_unread
    }

    pub(crate) fn control_timeout(&self) -> Duration {
        self.limits.control_timeout
    }

    pub(crate) fn initialize_timeout(&self) -> Duration {
        self.limits.initialize_timeout
    }

    /// How long a one-shot run waits between turns; `None` means forever.
    pub(crate) fn background_wait(&self) -> Option<Duration> {
        self.limits.background_wait
    }
}
