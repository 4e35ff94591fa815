//! The environment that the CLI gets.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use super::Launch;

/// Says that a program runs inside a CLI, which then refuses to start.
const INSIDE: &str = "CLAUDECODE";
/// Has the CLI tell when it is idle, by which the end of a run is found.
const STATES: &str = "CLAUDE_CODE_SDK_READS_SESSION_STATE";

/// Applies to `command` what is inherited, what we say ourselves and, over all, what `launch` says.
pub(super) fn apply(command: &mut Command, launch: &Launch, cwd: Option<&Path>) {
    match launch.env_clear {
        true => command.env_clear(),
        false => command.env_remove(INSIDE),
    };
    command.env("CLAUDE_CODE_ENTRYPOINT", "sdk-rs");
    command.env("CLAUDE_AGENT_SDK_VERSION", env!("CARGO_PKG_VERSION"));
    if launch.env_clear || env::var_os(STATES).is_none() {
        command.env(STATES, "1");
    }
    if let Some(cwd) = cwd {
        command.env("PWD", cwd);
    }
    for (name, value) in &launch.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// The PATH that programs are looked for in: the one that `launch` sets, or else our own.
pub(super) fn search_path(launch: &Launch) -> Option<OsString> {
    let set =
        launch.env.iter().rev().find_map(|(name, value)| {
            if name == OsStr::new("PATH") { value.clone() } else { None }
        });
    set.or_else(|| env::var_os("PATH"))
}
