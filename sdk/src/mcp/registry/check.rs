//! The checks of a registry's tools.

use std::collections::HashMap;
use std::fmt;

use crate::mcp::extensions::Extensions;
use crate::mcp::tool::Tool;

/// Everything that is wrong with a registry, or with a tool that was to be added to one. Displays
/// one complaint per line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    complaints: Vec<String>,
}

/// Finds everything that clients would reject, and what the server's values lack. `complaints` are
/// those about the server itself.
pub(super) fn check(
    mut complaints: Vec<String>,
    tools: &[Tool],
    values: &Extensions,
) -> Result<(), BuildError> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for tool in tools {
        let defects = tool.definition().defects(values).into_iter();
        complaints.extend(defects.map(|defect| format!("tool `{}`: {defect}", tool.name())));
        let count = seen.entry(tool.name()).or_default();
        *count += 1;
        if *count == 2 {
            complaints.push(format!("tool `{}`: there is more than one of that name", tool.name()));
        }
    }
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(BuildError { complaints }),
    }
}

impl BuildError {
    /// The complaints: those about the server first, then those about tools, in their order.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.complaints.join("\n"))
    }
}

impl std::error::Error for BuildError {}
