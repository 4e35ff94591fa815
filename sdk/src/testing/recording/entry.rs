//! One line of a recording.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::ProcessExit;

/// One line of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::testing) enum Entry {
    Launch {
        args: Vec<String>,
    },
    /// A message of the SDK.
    Sdk(Value),
    /// A message of the CLI.
    Cli(Value),
    /// A line of the CLI that is no JSON.
    CliText(String),
    /// The SDK has closed the CLI's input.
    InputEnd,
    Exit {
        /// The status as `wait` gives it, if it is known.
        status: Option<i32>,
        stderr: String,
    },
}

impl Entry {
    pub(super) fn exit(exit: &ProcessExit) -> Self {
        let status = exit.status.map(ExitStatusExt::into_raw);
        Self::Exit { status, stderr: exit.stderr.clone() }
    }

    /// How the CLI exited, if this says so.
    pub(in crate::testing) fn process_exit(&self) -> Option<ProcessExit> {
        let Self::Exit { status, stderr } = self else { return None };
        Some(ProcessExit { status: status.map(ExitStatus::from_raw), stderr: stderr.clone() })
    }
}
