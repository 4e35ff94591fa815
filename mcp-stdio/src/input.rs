//! The lines of the client, read from the descriptor.

use std::os::fd::OwnedFd;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use toolwright::jsonl::{Line, Lines};

/// The least free space in the buffer before a read, in bytes: the capacity of a pipe.
const READ: usize = 64 * 1024;
/// What begins a session, as clients write it: in the older revisions, and in 2026-07-28.
const GREETINGS: [&[u8]; 2] = [br#""method":"initialize""#, br#""method":"server/discover""#];

/// The source of lines. The reader locks it to read bytes and to take a line.
pub(crate) struct Input {
    wire: OwnedFd,
    lines: Lines,
    has_ended: bool,
}

/// One line of the client.
pub(crate) enum Next {
    Line,
    TooLong { head: Vec<u8>, tail: Vec<u8>, length: usize },
}

impl Input {
    pub(crate) fn new(wire: OwnedFd, max_line: usize) -> Self {
        Self { wire, lines: Lines::new(max_line), has_ended: false }
    }

    /// The next buffered line: in `into`, unless it was too long.
    pub(crate) fn next(&mut self, into: &mut Vec<u8>) -> Option<Next> {
        match self.lines.next_into(into)? {
            Line::Whole(_) => Some(Next::Line),
            Line::TooLong { head, tail, length } => {
                Some(Next::TooLong { head: head.to_vec(), tail: tail.to_vec(), length })
            }
            _ => None,
        }
    }

    /// True if there are bytes to read. Where the system cannot tell, as macOS cannot of terminals,
    /// this is false.
    pub(crate) fn is_ready(&self) -> bool {
        self.poll_now(PollFlags::IN).contains(PollFlags::IN)
    }

    /// True if the next line begins a session, as far as its text shows without being parsed.
    pub(crate) fn begins_session(&mut self) -> bool {
        let bytes = self.lines.buffer();
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let has = |text: &[u8]| line.windows(text.len()).any(|part| part == text);
        line.len() < bytes.len() && GREETINGS.iter().any(|greeting| has(greeting))
    }

    /// True if the client has closed its end, whether or not there are bytes to read.
    pub(crate) fn has_hung_up(&self) -> bool {
        // A socket whose other side is still open tells of it only where it is asked.
        #[cfg(target_os = "linux")]
        let events = PollFlags::RDHUP;
        #[cfg(not(target_os = "linux"))]
        let events = PollFlags::empty();
        !self.poll_now(events).is_empty()
    }

    /// What has happened of these events, and of those that are always told.
    fn poll_now(&self, events: PollFlags) -> PollFlags {
        let mut fds = [PollFd::new(&self.wire, events)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        // After an error nothing has happened.
        let _ = retry_on_intr(|| poll(&mut fds, Some(&now)));
        fds[0].revents()
    }

    /// Waits for bytes; false if the stream has ended before. At its end, or after an error, the
    /// rest of the buffer becomes a line, which may be incomplete.
    pub(crate) fn read(&mut self) -> Result<bool, Errno> {
        if self.has_ended {
            return Ok(false);
        }
        let read = loop {
            let buffer = self.lines.buffer();
            buffer.reserve(READ);
            match retry_on_intr(|| rustix::io::read(&self.wire, spare_capacity(buffer))) {
                // Another process that shares the pipe has made it non-blocking.
                Err(Errno::AGAIN) if wait(&self.wire).is_ok() => {}
                read => break read,
            }
        };
        if read.is_ok_and(|length| length > 0) {
            return Ok(true);
        }
        self.has_ended = true;
        self.lines.push(b"\n");
        read.map(|_| true)
    }
}

fn wait(fd: &OwnedFd) -> Result<(), Errno> {
    retry_on_intr(|| poll(&mut [PollFd::new(fd, PollFlags::IN)], None)).map(drop)
}
