//! Why a method of the client failed.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};

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

/// Why there is no answer. A tool that waits for a task of the test waits in vain where the client
/// blocks the only thread of the test's runtime.
pub(super) fn late(timeout: Duration) -> String {
    let runtime = Handle::try_current().map(|runtime| runtime.runtime_flavor());
    let hint = match runtime {
        Ok(RuntimeFlavor::CurrentThread) => {
            "\n  a tool may wait for a task of this test, such as a stub of an API, whose thread the \
             client blocks: write #[tokio::test(flavor = \"multi_thread\")]"
        }
        _ => "",
    };
    format!("no answer within {timeout:?}{hint}")
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
