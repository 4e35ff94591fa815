//! The callbacks among the options.

use super::AgentOptions;
use crate::agent::hook::Hooks;

impl AgentOptions {
    /// The hooks, with the ids that `initialize` registers them under.
    pub(crate) fn hooks(&self) -> Hooks {
        Hooks::new(self.tools.hooks.clone())
    }

    /// Whether a hook blocks when it fails, so that the run must not start with a CLI that ignores
    /// this.
    pub(crate) fn needs_on_failure(&self) -> bool {
        self.hooks().blocks_on_failure()
    }

    /// Whether the CLI may send requests to this program during a run. Its input must then stay
    /// open until the end.
    pub(crate) fn needs_answers(&self) -> bool {
        self.tools.can_use_tool.is_some()
            || self.tools.on_elicitation.is_some()
            || self.tools.dialogs.is_some()
            || !self.tools.hooks.is_empty()
            || self.tools.registries().next().is_some()
    }
}
