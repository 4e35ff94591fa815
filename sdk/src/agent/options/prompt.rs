//! The options of the system prompt.

use std::fmt;
use std::path::PathBuf;

use super::redacted::Length;
use crate::agent::setters::setters;

/// The system prompt: a text, a file, or Claude Code's own prompt.
///
/// By default the prompt is **empty**, as in the official SDKs. Text converts by itself:
/// `.system_prompt("Be brief.")`.
///
/// ```
/// use toolwright::agent::options::{AgentOptions, SystemPrompt};
///
/// let prompt = SystemPrompt::claude_code().append("Answer in French.");
/// let options = AgentOptions::builder().system_prompt(prompt).build()?;
/// # Ok::<(), toolwright::agent::options::OptionsError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SystemPrompt {
    pub(crate) base: Base,
    pub(crate) append: Option<String>,
    pub(crate) exclude_dynamic_sections: Option<bool>,
    pub(crate) snapshot: Option<bool>,
}

/// The beginning of a system prompt.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Base {
    Text(String),
    /// Goes by the `initialize` request.
    Parts(Vec<String>),
    File(PathBuf),
    ClaudeCode,
}

/// The system prompt and how prompts are read.
#[derive(Clone, Default)]
pub(crate) struct PromptOptions {
    pub(crate) system: Option<SystemPrompt>,
    pub(crate) append: Option<String>,
    pub(crate) plan_mode_instructions: Option<String>,
    /// Whether user messages carry `"client_composed":true`.
    pub(crate) verbatim: bool,
}

impl SystemPrompt {
    /// Among [`parts`](Self::parts): what follows differs from request to request, or from machine
    /// to machine, and is not cached.
    pub const DYNAMIC_BOUNDARY: &str = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

    /// A text of any length. The official SDKs call this `custom`.
    pub fn custom(prompt: impl Into<String>) -> Self {
        Self::new(Base::Text(prompt.into()))
    }

    /// Several texts, each a block of its own, so that requests with the same first ones share the
    /// prompt cache up to [`SystemPrompt::DYNAMIC_BOUNDARY`], which is one of them.
    pub fn parts(parts: impl IntoIterator<Item: Into<String>>) -> Self {
        Self::new(Base::Parts(parts.into_iter().map(Into::into).collect()))
    }

    /// A file that the CLI reads. A relative path is relative to the CLI's working folder.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::new(Base::File(path.into()))
    }

    /// Claude Code's own prompt. The official SDKs call this the preset `claude_code`.
    pub fn claude_code() -> Self {
        Self::new(Base::ClaudeCode)
    }

    fn new(base: Base) -> Self {
        Self { base, append: None, exclude_dynamic_sections: None, snapshot: None }
    }
}

setters! {
    impl SystemPrompt, prompt = self;

    /// Appends a text of any length.
    append(text: impl Into<String>) { prompt.append = Some(text.into()) }
    /// Moves the parts of Claude Code's prompt that differ between machines (folders, date, git
    /// status) into the first user message, so that users can share a prompt cache.
    exclude_dynamic_sections(exclude: bool) { prompt.exclude_dynamic_sections = Some(exclude) }
    /// Whether a conversation keeps its first system prompt when a later run resumes it with
    /// another one. The CLI's default is to keep it.
    snapshot(snapshot: bool) { prompt.snapshot = Some(snapshot) }
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
    /// The beginning of the prompt. A text to append, without a prompt, is appended to Claude
    /// Code's own.
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

/// Prompts may be confidential, so only their lengths are printed.
impl fmt::Debug for SystemPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemPrompt")
            .field("base", &self.base)
            .field("append", &self.append.as_deref().map(Length))
            .field("exclude_dynamic_sections", &self.exclude_dynamic_sections)
            .field("snapshot", &self.snapshot)
            .finish()
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(&Length(text)).finish(),
            Self::Parts(parts) => f.debug_tuple("Parts").field(&parts.len()).finish(),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::ClaudeCode => f.write_str("ClaudeCode"),
        }
    }
}

impl fmt::Debug for PromptOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instructions = self.plan_mode_instructions.as_deref();
        f.debug_struct("PromptOptions")
            .field("system", &self.system)
            .field("append", &self.append.as_deref().map(Length))
            .field("plan_mode_instructions", &instructions.map(Length))
            .field("verbatim", &self.verbatim)
            .finish()
    }
}
