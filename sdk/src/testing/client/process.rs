//! A server program.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::peer::{Line, Peer};

pub(super) struct Process {
    child: Child,
    input: Option<Sender<String>>,
}

impl Process {
    /// Starts a program; its lines come through the channel.
    pub(super) fn start(command: &mut Command) -> io::Result<(Self, Receiver<Line>)> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut stdin = child.stdin.take().ok_or(ErrorKind::BrokenPipe)?;
        let output = child.stdout.take().ok_or(ErrorKind::BrokenPipe)?;
        let (input, to_send) = channel::<String>();
        // A program that does not read must not delay the client beyond its timeout.
        thread::Builder::new().name("test-client-input".into()).spawn(move || {
            let mut send = |line: String| stdin.write_all(format!("{line}\n").as_bytes());
            while to_send.recv().is_ok_and(|line| send(line).is_ok()) {}
        })?;
        let (sender, lines) = channel();
        thread::Builder::new().name("test-client".into()).spawn(move || {
            // Not as text, so that the client can tell of a line that is none.
            let mut lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            while lines.next().is_some_and(|line| sender.send((Instant::now(), line)).is_ok()) {}
        })?;
        Ok((Self { child, input: Some(input) }, lines))
    }
}

impl Peer for Process {
    fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        input.send(line.to_owned()).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    fn end_input(&mut self) {
        self.input = None;
    }

    fn wait(&mut self, end: Instant) -> io::Result<ExitStatus> {
        // The output is closed, so the program is about to exit. std offers no other way to wait
        // with a timeout than to ask again.
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > end {
                self.child.kill()?;
                return Err(ErrorKind::TimedOut.into());
            }
            thread::park_timeout(Duration::from_millis(1));
        }
    }

    fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A failed test must not leave its server behind. An error means that it has exited
        // already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
