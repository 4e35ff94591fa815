//! The lines of the client, as the descriptor gives them.

use std::os::fd::OwnedFd;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};
use toolwright::jsonl::{Line, Lines, Taken};

/// The room that a read has at least, in bytes: what a pipe holds.
const READ: usize = 64 * 1024;
/// Memory above this is not kept for the next line.
const KEEP: usize = 16 * 1024 * 1024;

/// Where lines come from. Whoever holds it is the reader.
pub(crate) struct Input {
    wire: OwnedFd,
    lines: Lines,
    has_ended: bool,
}

impl Input {
    pub(crate) fn new(wire: OwnedFd, max_line: usize) -> Self {
        Self { wire, lines: Lines::new(max_line), has_ended: false }
    }

    /// The next line that was read, in `into` unless it was too long.
    pub(crate) fn next(&mut self, into: &mut Vec<u8>) -> Option<Taken<'_>> {
        let taken = self.lines.take(into);
        if let Some(Taken::Line(Line::Whole(line))) = taken {
            into.clear();
            into.shrink_to(KEEP);
            into.extend_from_slice(line);
            return Some(Taken::Moved);
        }
        taken
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Waits for bytes. At the end of the stream, which any error is, there are none; what is left
    /// is a line then, which may be torn.
    pub(crate) fn read(&mut self) -> Result<(), Errno> {
        let read = loop {
            let buffer = self.lines.buffer();
            buffer.reserve(READ);
            match retry_on_intr(|| rustix::io::read(&self.wire, spare_capacity(buffer))) {
                // Somebody has made the pipe non-blocking, which its other owners share.
                Err(Errno::AGAIN) if wait(&self.wire).is_ok() => {}
                read => break read,
            }
        };
        if read.is_ok_and(|length| length > 0) {
            return Ok(());
        }
        self.has_ended = true;
        self.lines.push(b"\n");
        read.map(drop)
    }
}

fn wait(fd: &OwnedFd) -> Result<(), Errno> {
    retry_on_intr(|| poll(&mut [PollFd::new(fd, PollFlags::IN)], None)).map(drop)
}
