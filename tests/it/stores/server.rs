use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

/// A server that is ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Server(Child);

impl Server {
    /// Starts it and waits until it says on standard error that it is ready.
    pub(crate) fn start(command: &mut Command, ready: &str) -> Self {
        Self::try_start(command, ready).unwrap_or_else(|said| panic!("it does not start: {said}"))
    }

    /// The same; if it ends before it is ready, what it has said.
    pub(super) fn try_start(command: &mut Command, ready: &str) -> Result<Self, String> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut server = Self(command.spawn().unwrap());
        let mut log = BufReader::new(server.0.stderr.take().unwrap()).lines();
        let mut said = String::new();
        while !said.contains(ready) {
            match log.next() {
                Some(line) => said += &line.unwrap(),
                None => return Err(said),
            }
        }
        // It would wait if nobody read what it says.
        thread::spawn(move || log.for_each(drop));
        Ok(server)
    }

    /// Ends it as a machine would that fails.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The id of one that was killed may be another program's by now.
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        // At the first one PostgreSQL ends at once, with all its processes. The others end at the
        // second one, also where the first one is ignored, as it is behind a `&` of a shell.
        for signal in [Signal::QUIT, Signal::TERM] {
            let _ = kill_process(Pid::from_child(&self.0), signal);
        }
        let _ = self.0.wait();
    }
}
