//! The CLI's environment.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use super::Launch;

/// Marks a process that runs inside a CLI; the CLI refuses to start in one.
const INSIDE: &str = "CLAUDECODE";

/// Applies the inherited variables and then those of `launch`.
pub(super) fn apply(command: &mut Command, launch: &Launch, cwd: Option<&Path>) {
    match launch.env_clear {
        true => command.env_clear(),
        false => command.env_remove(INSIDE),
    };
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

/// The PATH in which programs are searched: that of `launch`, or this program's own.
pub(super) fn search_path(launch: &Launch) -> Option<OsString> {
    let set =
        launch.env.iter().rev().find_map(|(name, value)| {
            if name == OsStr::new("PATH") { value.clone() } else { None }
        });
    set.or_else(|| env::var_os("PATH"))
}
