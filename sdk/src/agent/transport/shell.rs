//! The small shell processes that serve this program.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, setpriority_process};

use super::alone::alone;

pub(super) const SHELL: &str = "/bin/sh";
/// Where its commands are, also on NixOS.
const PATH: &str = "/usr/bin:/bin:/run/current-system/sw/bin";
/// Its niceness. It has nothing to do until a run ends, so it does not delay the CLI, which starts
/// at the same time.
const NICE: i32 = 10;

/// Starts a shell, whose input is a pipe.
///
/// In a group of its own it gets none of the signals that go to the group of this program.
pub(super) fn start(script: &str, name: &str) -> io::Result<Child> {
    let mut command = Command::new(SHELL);
    command.args(["-c", script, name]).env_clear().env("PATH", PATH);
    command.current_dir("/").process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let process = {
        let _alone = alone();
        command.spawn()?
    };
    // If this fails, the shell runs with the usual priority.
    let _ = setpriority_process(Some(Pid::from_child(&process)), NICE);
    Ok(process)
}
