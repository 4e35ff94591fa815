//! Reading: one thread takes lines off the wire, hands them to the session and polls what comes of
//! it.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};
use toolwright::jsonl::{Line, Lines};
use toolwright::mcp::{Run, Started, Step};

use crate::server::{Server, State};

/// The room that a read has at least, in bytes: what a pipe holds.
const READ: usize = 64 * 1024;

/// How long to wait before a thread is asked for again that the system did not give.
const RETRY: Duration = Duration::from_millis(50);

/// Where lines come from. Whoever holds it is the reader.
pub(crate) struct Input {
    wire: OwnedFd,
    lines: Lines,
    ended: bool,
    /// Counts the polls, so that each has a number of its own.
    polls: u64,
}

/// What a line came to.
enum Taken {
    Nothing,
    Run(Run, usize),
    Ended,
}

impl Input {
    pub(crate) fn new(wire: OwnedFd, max_line: usize) -> Self {
        Self { wire, lines: Lines::new(max_line), ended: false, polls: 0 }
    }

    /// Waits for bytes. At the end of the stream, which any error is, there are none.
    fn read(&mut self) {
        let buffer = self.lines.buffer();
        buffer.reserve(READ);
        loop {
            match retry_on_intr(|| rustix::io::read(&self.wire, spare_capacity(buffer))) {
                Ok(0) => break,
                Ok(_) => return,
                // Somebody has made the pipe non-blocking, which its other owners share.
                Err(Errno::AGAIN) if wait(&self.wire).is_ok() => {}
                Err(error) => {
                    tracing::warn!(%error, "standard input cannot be read");
                    break;
                }
            }
        }
        self.ended = true;
    }
}

fn wait(fd: &OwnedFd) -> Result<(), Errno> {
    retry_on_intr(|| poll(&mut [PollFd::new(fd, PollFlags::IN)], None)).map(drop)
}

impl Server {
    pub(crate) fn spawn_reader(self: &Arc<Self>) -> io::Result<()> {
        let server = self.clone();
        thread::Builder::new().name("toolwright".into()).spawn(move || server.read()).map(drop)
    }

    pub(crate) fn spawn_sentinel(self: &Arc<Self>) {
        let server = self.clone();
        // What the program does with log messages runs on this thread too, so its stack is an
        // ordinary one.
        let thread = thread::Builder::new().name("toolwright-watch".into());
        if let Err(error) = thread.spawn(move || server.sentinel.watch(|| server.overtake())) {
            tracing::error!(%error, "no thread can watch for tools that hold up the reader");
            self.sentinel.unstarted();
        }
    }

    /// The reader holds up the wire: another one takes over, and the old one ends when it comes
    /// back from its tool.
    fn overtake(self: &Arc<Self>) {
        tracing::debug!("a tool holds up the reader: another thread reads on");
        self.held_up.fetch_add(1, Ordering::Relaxed);
        // The old reader will not read on, so without a new one nobody ever would.
        while let Err(error) = self.spawn_reader() {
            tracing::error!(%error, "no other thread can read on yet");
            thread::sleep(RETRY);
            if self.state().closed {
                return;
            }
        }
    }

    fn read(self: Arc<Self>) {
        let _context = self.runtime.enter();
        // The reader before may not have come to send what its batch had said.
        self.flush();
        loop {
            let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
            let run = match self.take_line(&mut input) {
                Taken::Nothing => continue,
                Taken::Run(run, length) => (run, length),
                Taken::Ended => {
                    self.flush();
                    return self.ended.notify_one();
                }
            };
            input.polls += 1;
            let poll = input.polls;
            drop(input);
            if !self.begin(run.0, run.1, poll) {
                return self.flush();
            }
        }
    }

    /// Takes the next line, reading as often as it must. What was said is sent before the reader
    /// waits.
    fn take_line(&self, input: &mut Input) -> Taken {
        if self.is_full.load(Ordering::Relaxed) {
            self.flush();
            if !self.wait_for_room() {
                return Taken::Ended;
            }
        }
        let line = match input.lines.next() {
            Some(line) => line,
            None if input.ended => match input.lines.finish() {
                Some(line) => line,
                None => return Taken::Ended,
            },
            None => {
                self.flush();
                if !self.wait_for_room() {
                    return Taken::Ended;
                }
                input.read();
                return Taken::Nothing;
            }
        };
        self.receive(line)
    }

    fn receive(&self, line: Line<'_>) -> Taken {
        let mut state = self.state();
        let State { session, out, closed: false, .. } = &mut *state else { return Taken::Ended };
        let (line, step) = match line {
            Line::Whole(line) => (line, session.receive(line, out)),
            Line::TooLong { head, tail, length } => {
                session.receive_too_long(head, tail, length, out);
                self.note_full(out);
                return Taken::Nothing;
            }
            _ => return Taken::Nothing,
        };
        self.note_full(out);
        match step {
            Step::Idle => Taken::Nothing,
            Step::Cancel(call) => {
                self.cancel(state, &call);
                Taken::Nothing
            }
            Step::Call(call) => {
                drop(state);
                match call.start() {
                    Started::Run(run) => Taken::Run(run, line.len()),
                    Started::Done(done) => {
                        self.finish(done);
                        Taken::Nothing
                    }
                }
            }
        }
    }

    /// Waits while there is too much that the client does not take, or too much that waits to be
    /// run.
    fn wait_for_room(&self) -> bool {
        let state = self.state();
        let most = self.options.max_waiting;
        let state = self
            .fewer_waiting
            .wait_while(state, |state| state.waiting_bytes > most && !state.closed);
        let closed = state.unwrap_or_else(PoisonError::into_inner).closed;
        !closed && self.output.wait_for_room(self.options.max_unsent)
    }
}
