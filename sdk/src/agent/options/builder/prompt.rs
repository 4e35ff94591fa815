//! Setters for prompts.

use super::AgentOptionsBuilder;
use crate::agent::options::prompt::SystemPrompt;

/// What the model is told.
impl AgentOptionsBuilder {
    /// The system prompt: a text, or a [`SystemPrompt`]. Without it the prompt is **empty**, as in
    /// the official SDKs, unless [`append_system_prompt`](Self::append_system_prompt) is set.
    pub fn system_prompt(mut self, prompt: impl Into<SystemPrompt>) -> Self {
        self.options.prompt.system = Some(prompt.into());
        self
    }

    /// Adds a text of any length at the end of the system prompt; without
    /// [`system_prompt`](Self::system_prompt), of Claude Code's own.
    pub fn append_system_prompt(mut self, text: impl Into<String>) -> Self {
        self.options.prompt.append = Some(text.into());
        self
    }

    /// What the model is told in plan mode, in place of Claude Code's own words.
    pub fn plan_mode_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.options.prompt.plan_mode_instructions = Some(instructions.into());
        self
    }

    /// Takes prompts as they stand: no slash commands, no `@` files. For prompts that hold other
    /// people's text. Needs CLI 2.1.248.
    pub fn verbatim_prompts(mut self, verbatim: bool) -> Self {
        self.options.prompt.verbatim = verbatim;
        self
    }
}
