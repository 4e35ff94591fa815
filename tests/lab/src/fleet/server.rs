use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};

use crate::ready::ready;
use crate::watchdog::Watchdog;

/// How long a process may take to end.
const END: Duration = Duration::from_secs(10);

/// A process that is told to end when this is dropped.
pub struct Server {
    child: Child,
    end: Signal,
}

impl Server {
    /// Starts a server and waits for what it says once it is ready; gives the line in which it
    /// says so.
    pub fn ready(command: &mut Command, says: &str, end: Signal) -> Result<(Self, String)> {
        let mut server = Self::start(command.stderr(Stdio::piped()), end)?;
        let line = ready(&mut server.child, |line| line.contains(says).then(|| line.to_owned()));
        let line = line.with_context(|| format!("waiting for {command:?}"))?;
        Ok((server, line))
    }

    pub fn start(command: &mut Command, end: Signal) -> Result<Self> {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let child = child.with_context(|| format!("starting {command:?}"))?;
        Ok(Self { child, end })
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        let _watchdog = Watchdog::over_for(&self.child, END);
        // Both fail only if it has ended.
        let _ = kill_process(Pid::from_child(&self.child), self.end);
        let _ = self.child.wait();
    }
}
