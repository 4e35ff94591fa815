//! What the model is told beforehand.

use std::path::PathBuf;

/// The system prompt: a text of your own, a file, or Claude Code's own prompt.
///
/// Without any, the prompt is **empty**, as in the official SDKs; Claude Code's own is
/// `SystemPrompt::claude_code()`. A text converts by itself: `.system_prompt("You are terse.")`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemPrompt {
    pub(crate) base: Base,
    pub(crate) append: Option<String>,
    pub(crate) exclude_dynamic_sections: Option<bool>,
    pub(crate) snapshot: Option<bool>,
}

/// What a system prompt begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Base {
    Text(String),
    File(PathBuf),
    ClaudeCode,
}

/// What the options say of prompts.
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptOptions {
    pub(crate) system: Option<SystemPrompt>,
    pub(crate) append: Option<String>,
    pub(crate) plan_mode_instructions: Option<String>,
    /// User messages carry `"client_composed":true`.
    pub(crate) verbatim: bool,
}

impl SystemPrompt {
    /// A prompt of your own, of any length. The official SDKs call it `custom`.
    pub fn custom(prompt: impl Into<String>) -> Self {
        Self::new(Base::Text(prompt.into()))
    }

    /// The text of a file, which the CLI reads; a relative path is relative to its working folder.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::new(Base::File(path.into()))
    }

    /// Claude Code's own prompt, which the official SDKs call the preset `claude_code`.
    pub fn claude_code() -> Self {
        Self::new(Base::ClaudeCode)
    }

    /// Adds a text of any length at the end.
    pub fn append(mut self, text: impl Into<String>) -> Self {
        self.append = Some(text.into());
        self
    }

    /// Moves what differs from machine to machine (folders, date, git status) out of Claude Code's
    /// own prompt into the first user message, so that the prompt cache serves many users.
    pub fn exclude_dynamic_sections(mut self, exclude: bool) -> Self {
        self.exclude_dynamic_sections = Some(exclude);
        self
    }

    /// Whether the conversation keeps the prompt it began with, also when a later run resumes it
    /// with another; the CLI does so by default.
    pub fn snapshot(mut self, snapshot: bool) -> Self {
        self.snapshot = Some(snapshot);
        self
    }

    fn new(base: Base) -> Self {
        Self { base, append: None, exclude_dynamic_sections: None, snapshot: None }
    }
}

impl From<&str> for SystemPrompt {
    fn from(prompt: &str) -> Self {
        Self::custom(prompt)
    }
}

impl From<String> for SystemPrompt {
    fn from(prompt: String) -> Self {
        Self::custom(prompt)
    }
}

impl PromptOptions {
    /// What a prompt begins with. A text to append alone says that there is something to append it
    /// to.
    pub(super) fn base(&self) -> Option<&Base> {
        match &self.system {
            Some(system) => Some(&system.base),
            None if self.append.is_some() => Some(&Base::ClaudeCode),
            None => None,
        }
    }

    pub(super) fn appended(&self) -> Option<&str> {
        self.append.as_deref().or_else(|| self.system.as_ref()?.append.as_deref())
    }
}
