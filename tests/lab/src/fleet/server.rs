use std::io::{BufRead, BufReader, copy, sink};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};

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
        let watchdog = Watchdog::over(&server.child);
        let mut errors = BufReader::new(server.child.stderr.take().context("no stderr")?);
        let mut said = String::new();
        let from = loop {
            let from = said.len();
            if errors.read_line(&mut said).context("waiting for a server")? == 0 {
                bail!("{command:?} is not ready: {said}");
            }
            if said[from..].contains(says) {
                break from;
            }
        };
        drop(watchdog);
        // What it says later must not stop it.
        thread::spawn(move || copy(&mut errors, &mut sink()));
        Ok((server, said.split_off(from)))
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

/// A port that nobody uses at the moment.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
