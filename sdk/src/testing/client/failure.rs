//! Why a method of the client failed.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

/// A text of several lines. Tests show errors by `unwrap` and `?`, which use `Debug`, so that is as
/// readable as `Display`.
struct Failure(String);

/// What went wrong.
pub(super) fn failure(kind: ErrorKind, what: impl Into<String>) -> io::Error {
    io::Error::new(kind, Failure(what.into()))
}

/// What went wrong, and for which request.
pub(super) fn failed(kind: ErrorKind, what: impl fmt::Display, request: &str) -> io::Error {
    failure(kind, format!("{what}\n  request: {request}"))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Failure {}
