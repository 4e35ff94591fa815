//! The end of a command that did not do what it was asked for.

use std::io;

/// What standard error says, and the exit status.
#[derive(Debug, PartialEq)]
pub struct Failure {
    /// The exit status of the program.
    pub status: u8,
    /// Whole lines.
    pub text: String,
}

impl Failure {
    /// The tool has failed, or the command could not do its work.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { status: 1, text: lines(text.into()) }
    }

    /// The arguments of the command line are wrong; `help` is what to run to learn the right ones.
    pub fn usage(program: &str, text: &str, help: &str) -> Self {
        let text = format!("{program}: {text}\nTry `{program} {help}`.");
        Self { status: 2, text: lines(text) }
    }

    /// A signal has ended the command: the status that shells use for it, such as 130 for Ctrl-C.
    pub fn interrupted(signal: u8) -> Self {
        Self { status: signal.saturating_add(128), text: lines("cancelled".into()) }
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::failed(text)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::failed(error.to_string())
    }
}

/// The text with the end of its last line.
fn lines(text: String) -> String {
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
}
