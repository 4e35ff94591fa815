//! What can go wrong, one enum an operation.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// How the CLI's process ended.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ProcessExit {
    /// Its exit status, where it is known.
    pub status: Option<ExitStatus>,
    /// The end of what it wrote to standard error, at most 64 KiB.
    pub stderr: String,
}

/// Why a run did not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The `claude` program is nowhere to be found.
    #[error("the claude program was not found; looked at {}", list(searched))]
    CliNotFound {
        /// Where it was looked for.
        searched: Vec<PathBuf>,
    },
    /// The program is there and cannot be started.
    #[error("{} cannot be started", path.display())]
    Spawn {
        /// The program.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The working folder is not there.
    #[error("the working folder {} is not there", path.display())]
    WorkingFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The program ended before it was ready.
    #[error("the claude program ended before it was ready: {0}")]
    Exited(ProcessExit),
    /// The program refused or did not answer `initialize`.
    #[error("the claude program did not accept initialize")]
    Initialize(#[source] ControlError),
    /// Another transport failed.
    #[error("the transport cannot be opened")]
    Transport(#[source] io::Error),
}

/// Why a control request got no answer, or a bad one.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// The CLI answered with an error.
    #[error("the CLI refused: {message}")]
    Refused {
        /// The CLI's words.
        message: String,
        /// Its code, such as `unsupported_request`.
        code: Option<String>,
    },
    /// No answer came in time; the request was withdrawn.
    #[error("no answer to {subtype} within {after:?}")]
    TimedOut {
        /// The request's subtype.
        subtype: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The run ended first.
    #[error("the run ended before {subtype} was answered: {exit}")]
    Closed {
        /// The request's subtype.
        subtype: String,
        /// How the process ended, as far as that is known.
        exit: ProcessExit,
    },
    /// The answer has not the form that it should have.
    #[error("the answer to {subtype} cannot be read: {reason}")]
    Malformed {
        /// The request's subtype.
        subtype: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The process failed, and no error result said so before.
    #[error("the claude program failed: {0}")]
    Process(ProcessExit),
    /// The messages that nobody read grew over the bound.
    #[error("{unread} bytes of messages were not read, more than the {bound} that may wait")]
    Unread {
        /// How much there was.
        unread: usize,
        /// How much there may be.
        bound: usize,
    },
    /// The transport failed.
    #[error("the transport failed")]
    Transport(#[source] io::Error),
    /// The run ended without a result; only `finish` reports it.
    #[error("the run ended without a result")]
    NoResult,
    /// The run ended with an error result; only `finish` reports it this way.
    #[error("the run ended with an error result ({subtype}): {text}")]
    ErrorResult {
        /// The result's subtype.
        subtype: String,
        /// What it says.
        text: String,
    },
}

impl fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{status}")?,
            None => f.write_str("its output ended")?,
        }
        match self.stderr.trim().lines().last() {
            Some(last) => write!(f, ", standard error ends with: {last}"),
            None => Ok(()),
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
