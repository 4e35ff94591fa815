use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

/// A server that is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Server(Child);

impl Server {
    /// Starts it and waits until it says on standard error that it is ready.
    pub(super) fn start(command: &mut Command, ready: &str) -> Self {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut server = Self(command.spawn().unwrap());
        let mut log = BufReader::new(server.0.stderr.take().unwrap()).lines();
        let mut said = String::new();
        while !said.contains(ready) {
            let line = log.next().unwrap_or_else(|| panic!("it does not start: {said}"));
            said += &line.unwrap();
        }
        // It would wait if nobody read what it says.
        thread::spawn(move || log.for_each(drop));
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // PostgreSQL ends at once, with all its processes.
        let _ = kill_process(Pid::from_child(&self.0), Signal::QUIT);
        let _ = self.0.wait();
    }
}
