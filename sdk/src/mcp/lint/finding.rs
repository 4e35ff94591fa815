//! What `lint` has found.

use std::fmt;

use super::rule::Rule;

/// One finding of [`ToolRegistry::lint`](crate::ToolRegistry::lint). Displays on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The name of the tool; empty for the server itself.
    pub tool: String,
    /// A JSON pointer into the tool's entry of `tools/list`, or into the server's description.
    pub pointer: String,
    /// The rule that is broken.
    pub rule: Rule,
    /// What to do about it, as a sentence.
    pub advice: String,
}

/// The findings of a registry, while it is looked at.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The tool that is looked at.
    pub(super) tool: String,
    pub(super) all: Vec<Finding>,
}

impl Findings {
    pub(super) fn add(&mut self, pointer: &str, rule: Rule, advice: impl Into<String>) {
        let (tool, pointer) = (self.tool.clone(), pointer.to_owned());
        self.all.push(Finding { tool, pointer, rule, advice: advice.into() });
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tool.is_empty() {
            true => f.write_str("the server")?,
            false => write!(f, "tool `{}`", self.tool)?,
        }
        write!(f, ", {}: {} ({})", self.pointer, self.advice, self.rule)
    }
}
