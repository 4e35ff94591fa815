use std::ffi::OsStr;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use anyhow::{Context, Result};
use rustix::process::{Signal, set_parent_process_death_signal};

/// A program that ends when the lab does, however that ends. It is for servers without a pipe,
/// whose end would tell them. The lab's first thread starts it: the system looks at the thread.
pub fn leashed(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg("leashed").arg(program);
    command
}

/// Becomes the program of these words. Returns only if it cannot.
pub fn run(words: &[String]) -> Result<()> {
    let (program, args) = words.split_first().context("no program to run")?;
    set_parent_process_death_signal(Some(Signal::KILL)).context("asking for the lab's end")?;
    let error = Command::new(program).args(args).exec();
    Err(error).with_context(|| format!("starting {program}"))
}
