//! What is wrong with options.

use std::fmt;

/// All that is wrong with options, found at once. Prints as one line a complaint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionsError {
    complaints: Vec<String>,
}

impl OptionsError {
    /// An error, unless there is nothing to complain of.
    pub(super) fn unless_none(complaints: Vec<String>) -> Result<(), Self> {
        match complaints.is_empty() {
            true => Ok(()),
            false => Err(Self { complaints }),
        }
    }

    /// The complaints, always in the same order. Each begins with the setter that it is about.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.complaints.join("\n"))
    }
}

impl std::error::Error for OptionsError {}
