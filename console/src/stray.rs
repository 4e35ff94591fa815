//! Output of the program itself: a thread copies what the program prints from a pipe to the real
//! standard error.
//!
//! The program never waits for it: output that does not fit, because the client does not read
//! standard error or its disk is full, is dropped and counted.

use std::io;
use std::os::fd::OwnedFd;
use std::thread::Builder;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};

use crate::sink::Sink;
use crate::thread::Thread;

/// The maximum number of bytes that wait for room in standard error.
const BACKLOG: usize = 256 * 1024;
/// How long the end waits for the last output.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// The thread that copies.
#[derive(Debug)]
pub(crate) struct Drain(Thread);

impl Drain {
    pub(crate) fn start(from: OwnedFd, to: OwnedFd) -> io::Result<Self> {
        let mut stray = Stray::new(from, Sink::of(to));
        let copy = move || while stray.step().is_ok() {};
        let thread = Builder::new().name("toolwright-stderr".into()).stack_size(64 * 1024);
        Thread::spawn(thread, Box::new(copy)).map(Self)
    }

    /// Waits a moment for the last output. A child process that still has the pipe must not delay
    /// the end.
    pub(crate) fn finish(self) {
        self.0.wait(LAST_WORDS);
    }
}

struct Stray {
    from: OwnedFd,
    to: Sink,
    backlog: Vec<u8>,
    dropped: usize,
    reading: bool,
    /// Standard error has refused the backlog. It is tried again with the next output.
    stalled: bool,
    /// The reader of standard error has gone.
    broken: bool,
}

struct Finished;

impl Stray {
    fn new(from: OwnedFd, to: Sink) -> Self {
        Self {
            from,
            to,
            backlog: Vec::new(),
            dropped: 0,
            reading: true,
            stalled: false,
            broken: false,
        }
    }

    fn step(&mut self) -> Result<(), Finished> {
        let wants_out = !self.backlog.is_empty() && !self.stalled && !self.broken;
        if !self.reading && !wants_out {
            return Err(Finished);
        }
        let (readable, writable) = {
            // An error of a descriptor wakes `poll` even if no event was requested, so only the
            // needed ones are polled.
            let mut fds = Vec::with_capacity(2);
            if self.reading {
                fds.push(PollFd::new(&self.from, PollFlags::IN));
            }
            if wants_out {
                fds.push(PollFd::new(&self.to, PollFlags::OUT));
            }
            retry_on_intr(|| poll(&mut fds, None)).map_err(|_| Finished)?;
            let ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
            (self.reading && ready(0), wants_out && ready(usize::from(self.reading)))
        };
        if readable {
            self.read();
        }
        if writable {
            self.write();
        }
        Ok(())
    }

    fn read(&mut self) {
        self.stalled = false;
        let mut chunk = [0; 8 * 1024];
        match retry_on_intr(|| rustix::io::read(&self.from, &mut chunk[..])) {
            Ok(0) | Err(_) => self.reading = false,
            Ok(length) if self.broken || self.backlog.len() + length > BACKLOG => {
                self.dropped += length
            }
            Ok(length) => {
                if self.dropped > 0 && self.backlog.len() < BACKLOG / 2 {
                    let dropped = std::mem::take(&mut self.dropped);
                    let note = format!(
                        "\n[{dropped} bytes of output were dropped: standard error took no more]\n"
                    );
                    self.backlog.extend_from_slice(note.as_bytes());
                }
                self.backlog.extend_from_slice(&chunk[..length]);
            }
        }
    }

    fn write(&mut self) {
        match self.to.write_some(&self.backlog) {
            Ok(written) => drop(self.backlog.drain(..written)),
            Err(Errno::AGAIN) => {}
            Err(Errno::PIPE) => {
                self.broken = true;
                self.backlog = Vec::new();
            }
            // A disk that is full may have room later.
            Err(_) => self.stalled = true,
        }
    }
}

#[cfg(test)]
mod tests;
