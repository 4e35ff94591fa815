//! The checks of what a registry holds.

use std::borrow::Cow;
use std::fmt;

use super::list::Entry;
use crate::mcp::extensions::Extensions;
use crate::mcp::places::Places;
use crate::mcp::prompt::Prompt;
use crate::mcp::protocol::app;
use crate::mcp::resource::Resource;
use crate::mcp::tool::Tool;
use crate::mcp::words::join;

/// Everything that is wrong with a registry, or with what was to be added to one. Displays
/// one complaint per line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    complaints: Vec<String>,
}

/// Finds everything that clients would reject, and what the server's values lack.
pub(super) struct Check<'a> {
    complaints: Vec<String>,
    values: &'a Extensions,
}

impl<'a> Check<'a> {
    /// `complaints` are those about the server itself.
    pub(super) fn new(complaints: Vec<String>, values: &'a Extensions) -> Self {
        Self { complaints, values }
    }

    pub(super) fn complain(&mut self, complaint: &str) {
        self.complaints.push(complaint.to_owned());
    }

    /// The first `known` tools were checked before, and only their names count.
    pub(super) fn tools(&mut self, tools: &[Tool], known: usize) {
        let mut seen = Places::default();
        for (at, tool) in tools.iter().enumerate() {
            let (tool, name) = (tool.definition(), tool.name());
            let defects = if at < known { vec![] } else { tool.defects(self.values) };
            self.entry("tool", ("name", name.into()), name, &defects, known, &mut seen);
        }
    }

    /// A view that a tool names must exist. `exists` is true of the URIs of resources.
    pub(super) fn views(&mut self, tools: &[Tool], exists: impl Fn(&str) -> bool) {
        for tool in tools {
            let Some(view) = app::view(tool.meta()).filter(|view| !exists(view)) else { continue };
            let name = tool.name();
            self.complaints.push(format!(
                "tool `{name}`: no resource of the server has the URI of its view `{view}`"
            ));
        }
    }

    pub(super) fn prompts(&mut self, prompts: &[Prompt], known: usize) {
        let mut seen = Places::default();
        for (at, prompt) in prompts.iter().enumerate() {
            let defects = if at < known { vec![] } else { prompt.defects(self.values) };
            let name = prompt.name();
            self.entry("prompt", ("name", name.into()), name, &defects, known, &mut seen);
        }
    }

    pub(super) fn resources(&mut self, resources: &[Resource], known: usize) {
        let mut seen = Places::default();
        for (at, resource) in resources.iter().enumerate() {
            let defects = if at < known { vec![] } else { resource.defects(self.values) };
            let uri = resource.uri();
            self.entry("resource", ("URI", resource.key()), uri, &defects, known, &mut seen);
        }
    }

    /// Complains of one entry. `seen` counts the entries of each key. If some were `known`, one was
    /// added to them.
    fn entry<'n>(
        &mut self,
        noun: &str,
        (kind, key): (&str, Cow<'n, str>),
        name: &str,
        defects: &[String],
        known: usize,
        seen: &mut Places<'n>,
    ) {
        for defect in defects {
            let complaint = format!("{noun} `{name}`: {defect}");
            // An entry may be listed twice.
            if !self.complaints.contains(&complaint) {
                self.complaints.push(complaint);
            }
        }
        let count = seen.get(&key).unwrap_or_default() + 1;
        seen.set(key, count);
        if count == 2 {
            let others = match known {
                0 => format!("more than one of that {kind}"),
                _ => format!("one of that {kind} already"),
            };
            self.complaints.push(format!("{noun} `{name}`: there is {others}"));
        }
    }

    pub(super) fn finish(self) -> Result<(), BuildError> {
        match self.complaints.is_empty() {
            true => Ok(()),
            false => Err(BuildError { complaints: self.complaints }),
        }
    }
}

impl BuildError {
    /// The complaints: those about the server first, then those about tools, prompts and resources,
    /// in their order.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join(&self.complaints, "\n"))
    }
}

impl std::error::Error for BuildError {}
