use std::io::{self, Read};
use std::os::fd::AsFd;

use anyhow::{Result, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::answer::excerpt;

/// Without waiting.
const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Bytes that came and were not yet taken as lines.
pub struct Inbox {
    bytes: Vec<u8>,
    start: usize,
    /// No line feed is between `start` and here.
    scanned: usize,
    end: usize,
}

impl Inbox {
    pub fn new() -> Self {
        Self { bytes: vec![0; 256 * 1024], start: 0, scanned: 0, end: 0 }
    }

    /// Waits for bytes and reads once.
    pub fn fill(&mut self, source: &mut impl Read) -> io::Result<()> {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
        } else if self.bytes.len() - self.end < 64 * 1024 {
            self.make_room();
        }
        match source.read(&mut self.bytes[self.end..])? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed its output")),
            count => {
                self.end += count;
                Ok(())
            }
        }
    }

    /// The next whole line without its line feed.
    pub fn line(&mut self) -> Option<&[u8]> {
        match memchr::memchr(b'\n', &self.bytes[self.scanned..self.end]) {
            Some(length) => {
                let (from, to) = (self.start, self.scanned + length);
                self.start = to + 1;
                self.scanned = self.start;
                Some(&self.bytes[from..to])
            }
            None => {
                self.scanned = self.end;
                None
            }
        }
    }

    /// Fails if a line is left that nobody has taken, of a process that has ended. The end itself
    /// is not waited for, as a child of the process may still hold it open.
    pub fn ends_here(&mut self, mut source: impl Read + AsFd) -> Result<()> {
        while poll(&mut [PollFd::new(&source, PollFlags::IN)], Some(&NOW))? > 0
            && self.fill(&mut source).is_ok()
        {}
        match self.line() {
            Some(line) => bail!("it says more than was asked for: {}", excerpt(line)),
            None => Ok(()),
        }
    }

    fn make_room(&mut self) {
        self.bytes.copy_within(self.start..self.end, 0);
        self.scanned -= self.start;
        self.end -= self.start;
        self.start = 0;
        if self.bytes.len() - self.end < 64 * 1024 {
            self.bytes.resize(self.bytes.len() * 2, 0);
        }
    }
}
