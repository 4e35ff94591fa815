//! What the client takes out of the options.

use std::time::Duration;

use super::AgentOptions;
use crate::ToolRegistry;
use crate::agent::hook::Hooks;
use crate::agent::permission::PermissionCallback;

impl AgentOptions {
    /// The registries of this program that the CLI reaches over the control protocol, in the order
    /// in which they were added.
    pub(crate) fn registries(&self) -> &[ToolRegistry] {
        &self.tools.registries
    }

    /// The hooks, by the ids that `initialize` gives them.
    pub(crate) fn hooks(&self) -> Hooks {
        Hooks::new(self.tools.hooks.clone())
    }

    /// Whether the run must not begin with a CLI that takes no notice of hooks which fail.
    pub(crate) fn needs_on_failure(&self) -> bool {
        self.hooks().blocks_on_failure()
    }

    pub(crate) fn permission_callback(&self) -> Option<PermissionCallback> {
        self.tools.can_use_tool.clone()
    }

    /// Whether the CLI asks this program things during a run, so that its input must stay open
    /// until the end.
    pub(crate) fn needs_answers(&self) -> bool {
        self.tools.can_use_tool.is_some()
            || !self.tools.hooks.is_empty()
            || !self.tools.registries.is_empty()
    }

    /// User messages carry `"client_composed":true`.
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

    /// How long a one-shot run may go on between turns; `None` is without end.
    pub(crate) fn background_wait(&self) -> Option<Duration> {
        self.limits.background_wait
    }
}
