use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::cleared::cleared;

/// The variable that all processes of a run inherit.
const MARK: &str = "TOOLWRIGHT_LAB_MARK";

/// How long what a run has left may still be there.
const LIMIT: Duration = Duration::from_secs(60);

/// What runs may leave: processes with a mark, and files in folders that nobody else uses.
pub struct Leftovers {
    /// The variable with its value.
    mark: String,
    folder: PathBuf,
    noted: Vec<Pid>,
}

impl Leftovers {
    pub fn new(name: &str) -> Result<Self> {
        let name = format!("toolwright-endure-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(&name);
        let this = Self { mark: format!("{MARK}={name}"), folder, noted: Vec::new() };
        for folder in this.folders() {
            fs::create_dir_all(folder).context("making a folder")?;
        }
        Ok(this)
    }

    /// Marks the program, and gives it the folders.
    pub fn of(&self, program: &Path) -> Command {
        let mut command = cleared(Command::new(program));
        let [temporary, configuration] = self.folders();
        let (name, value) = self.mark.split_once('=').unwrap_or_default();
        command.env(name, value).env("TMPDIR", temporary);
        command.env("HOME", &configuration).env("CLAUDE_CONFIG_DIR", configuration);
        command
    }

    fn folders(&self) -> [PathBuf; 2] {
        ["temporary", "configuration"].map(|name| self.folder.join(name))
    }

    /// Looks for the children of a process that is about to end, too: the shells that the library
    /// starts have no mark, and then another parent.
    pub fn note_children(&mut self, of: u32) {
        self.noted = pids().filter(|pid| is_child(*pid, of)).collect();
    }

    /// Fails unless all is gone soon but the process `except`. Gives the time that it took.
    pub fn are_gone(&self, except: Option<u32>) -> Result<Duration> {
        let clock = Instant::now();
        loop {
            let (processes, files) = (self.processes(except), self.files()?);
            if processes.is_empty() && files.is_empty() {
                return Ok(clock.elapsed());
            }
            if clock.elapsed() > LIMIT {
                let processes: Vec<_> = processes.iter().map(|pid| described(*pid)).collect();
                bail!("after {LIMIT:?} there are left: {processes:?} {files:?}");
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Those with the mark, those that were noted, and the children of `except`, also those that
    /// have ended and were not waited for: these have no variables.
    fn processes(&self, except: Option<u32>) -> Vec<Pid> {
        let is_ours = |pid: &Pid| {
            let number = pid.as_raw_nonzero().get();
            let variables = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
            let has_mark = variables.split(|byte| *byte == 0).any(|it| it == self.mark.as_bytes());
            // The first process of a container, which has them then, often waits for nobody.
            let is_noted = || self.noted.contains(pid) && !status(*pid).contains("State:\tZ");
            let is_child = || except.is_some_and(|of| is_child(*pid, of));
            except != u32::try_from(number).ok() && (has_mark || is_noted() || is_child())
        };
        pids().filter(is_ours).collect()
    }

    fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in self.folders() {
            for entry in fs::read_dir(&folder).context("reading a folder")? {
                files.push(entry?.path());
            }
        }
        Ok(files)
    }
}

fn pids() -> impl Iterator<Item = Pid> {
    let names = fs::read_dir("/proc").into_iter().flatten().flatten();
    names.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

fn is_child(pid: Pid, of: u32) -> bool {
    status(pid).contains(&format!("PPid:\t{of}\n"))
}

/// What the system says about a process; nothing once it is gone.
fn status(pid: Pid) -> String {
    fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).unwrap_or_default()
}

fn described(pid: Pid) -> String {
    let number = pid.as_raw_nonzero();
    let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let line = String::from_utf8_lossy(&line).replace('\0', " ");
    format!("{number} {}", line.chars().take(80).collect::<String>())
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        for process in self.processes(None) {
            let _ = kill_process(process, Signal::KILL);
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests;
