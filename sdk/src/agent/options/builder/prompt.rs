//! Setters for prompts.

use super::AgentOptionsBuilder;
use crate::agent::options::prompt::SystemPrompt;
use crate::agent::setters::setters;

setters! {
    /// The system prompt, and how prompts are read.
    impl AgentOptionsBuilder, options = self.options.prompt;

    /// The system prompt: a text or a [`SystemPrompt`]. By default it is **empty**, as in the
    /// official SDKs, unless [`append_system_prompt`](Self::append_system_prompt) is used.
    system_prompt(prompt: impl Into<SystemPrompt>) { options.system = Some(prompt.into()) }
    /// Appends a text of any length to the system prompt or, without
    /// [`system_prompt`](Self::system_prompt), to Claude Code's own.
    append_system_prompt(text: impl Into<String>) { options.append = Some(text.into()) }
    /// The instructions for plan mode, in place of Claude Code's own.
    plan_mode_instructions(instructions: impl Into<String>) {
        options.plan_mode_instructions = Some(instructions.into())
    }
    /// Passes prompts on verbatim: slash commands and `@` files are not interpreted. Use it for
    /// prompts with text from other people. Needs CLI 2.1.248.
    verbatim_prompts(verbatim: bool) { options.verbatim = verbatim }
}
