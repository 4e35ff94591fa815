//! Setters for prompts.

use super::AgentOptionsBuilder;
use crate::agent::options::prompt::SystemPrompt;

/// The system prompt, and how prompts are read.
impl AgentOptionsBuilder {
    /// The system prompt: a text or a [`SystemPrompt`]. By default it is **empty**, as in the
    /// official SDKs, unless [`append_system_prompt`](Self::append_system_prompt) is used.
    pub fn system_prompt(mut self, prompt: impl Into<SystemPrompt>) -> Self {
        self.options.prompt.system = Some(prompt.into());
        self
    }

    /// Appends a text of any length to the system prompt or, without
    /// [`system_prompt`](Self::system_prompt), to Claude Code's own.
    pub fn append_system_prompt(mut self, text: impl Into<String>) -> Self {
        self.options.prompt.append = Some(text.into());
        self
    }

    /// The instructions for plan mode, in place of Claude Code's own.
    pub fn plan_mode_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.options.prompt.plan_mode_instructions = Some(instructions.into());
        self
    }

    /// Passes prompts on verbatim: slash commands and `@` files are not interpreted. Use it for
    /// prompts with text from other people. Needs CLI 2.1.248.
    pub fn verbatim_prompts(mut self, verbatim: bool) -> Self {
        self.options.prompt.verbatim = verbatim;
        self
    }
}
