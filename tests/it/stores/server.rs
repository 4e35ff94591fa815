use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Longer than any server takes to start, to say something while it starts, or to end.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A server that is ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Server(Child);

impl Server {
    /// Starts it and waits until it says on standard error that it is ready.
    pub(crate) fn start(command: &mut Command, ready: &str) -> Self {
        Self::try_start(command, ready).unwrap_or_else(|said| panic!("it does not start: {said}"))
    }

    /// The same; if it ends before it is ready, or says nothing for long, what it has said.
    pub(super) fn try_start(command: &mut Command, ready: &str) -> Result<Self, String> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut server = Self(command.spawn().unwrap());
        let log = BufReader::new(server.0.stderr.take().unwrap()).lines();
        let (say, lines) = channel();
        // It would wait if nobody read what it says, so it is read to its end.
        thread::spawn(move || log.map_while(Result::ok).for_each(|line| drop(say.send(line))));
        until(&lines, ready, PATIENCE).map(|()| server)
    }

    /// Ends it as a machine would that fails.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// Waits for a line that says that a server is ready, as long as it says something.
fn until(lines: &Receiver<String>, ready: &str, patience: Duration) -> Result<(), String> {
    let mut said = String::new();
    while !said.contains(ready) {
        match lines.recv_timeout(patience) {
            Ok(line) => said += &line,
            Err(RecvTimeoutError::Disconnected) => return Err(said),
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("{said} and then nothing for {patience:?}"));
            }
        }
    }
    Ok(())
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
        let since = Instant::now();
        while let Ok(None) = self.0.try_wait() {
            // One that hangs must not hold up the tests.
            if since.elapsed() > PATIENCE {
                let _ = self.0.kill();
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_server_that_never_becomes_ready_is_given_up() {
    let (say, lines) = channel();
    say.send("begun".to_owned()).unwrap();
    let said = until(&lines, "is ready", Duration::from_millis(1)).unwrap_err();
    assert_eq!(said, "begun and then nothing for 1ms");
}

#[test]
fn a_server_that_ends_before_it_is_ready_has_said_why() {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "echo no room >&2"]);
    assert_eq!(Server::try_start(&mut command, "is ready").unwrap_err(), "no room");
}
