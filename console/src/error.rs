//! The error of serving.

use std::{fmt, io};

/// Why serving did not begin.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The process already serves on its standard input and output, or has done so before.
    AlreadyTaken,
    /// The descriptors cannot be set up, or no thread can be started.
    Io(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyTaken => f.write_str(
                "standard input and output of this process were taken for serving before",
            ),
            Self::Io(_) => f.write_str("standard input and output cannot be set up for serving"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::AlreadyTaken => None,
            Self::Io(error) => Some(error),
        }
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// An error with its causes.
pub fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", chain(cause)),
        None => error.to_string(),
    }
}
