//! The error of building options.

use std::fmt;

/// Everything that is wrong with the options. It prints one complaint a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionsError {
    complaints: Vec<String>,
}

impl OptionsError {
    /// `Err` if there are complaints.
    pub(super) fn unless_none(complaints: Vec<String>) -> Result<(), Self> {
        match complaints.is_empty() {
            true => Ok(()),
            false => Err(Self { complaints }),
        }
    }

    /// The complaints, always in the same order. Each begins with the name of the setter in
    /// question.
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
