//! What `lint` has found.

use std::fmt;

use super::rule::Rule;

/// One finding of [`ToolRegistry::lint`](crate::ToolRegistry::lint). Displays on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is about.
    pub owner: Owner,
    /// A JSON pointer into the owner's entry of its list, such as `tools/list`, or into the
    /// server's description.
    pub pointer: String,
    /// The rule that is broken.
    pub rule: Rule,
    /// What to do about it, as a sentence.
    pub advice: String,
}

/// What a finding is about. Displays as a noun and a name, such as ``tool `add` ``.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Owner {
    /// The server itself.
    #[default]
    Server,
    /// The tool of this name.
    Tool(String),
    /// The prompt of this name.
    Prompt(String),
    /// The resource with this URI, or the template of resources.
    Resource(String),
}

/// The findings of a registry, while it is looked at.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// What is looked at.
    pub(super) owner: Owner,
    pub(super) all: Vec<Finding>,
}

impl Owner {
    /// `server`, `tool`, `prompt` or `resource`.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Tool(_) => "tool",
            Self::Prompt(_) => "prompt",
            Self::Resource(_) => "resource",
        }
    }

    /// The name of a tool or prompt, or the URI of a resource; empty for the server.
    pub fn name(&self) -> &str {
        match self {
            Self::Server => "",
            Self::Tool(name) | Self::Prompt(name) | Self::Resource(name) => name,
        }
    }
}

impl Findings {
    pub(super) fn add(&mut self, pointer: &str, rule: Rule, advice: impl Into<String>) {
        let (owner, pointer) = (self.owner.clone(), pointer.to_owned());
        self.all.push(Finding { owner, pointer, rule, advice: advice.into() });
    }
}

impl fmt::Display for Owner {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => f.write_str("the server"),
            owner => write!(f, "{} `{}`", owner.noun(), owner.name()),
        }
    }
}

impl fmt::Display for Finding {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { owner, pointer, rule, advice } = self;
        write!(f, "{owner}, {pointer}: {advice} ({rule})")
    }
}
