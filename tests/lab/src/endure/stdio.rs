use std::io::{ErrorKind, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use toolwright_lab_mix::{Book, deciles};

use super::child::Child;
use super::plan::{Endured, Plan};
use crate::inbox::Inbox;

const WINDOW: usize = 128;

/// Calls the stdio server.
pub fn run(plan: &Plan, show: &dyn Fn(&str)) -> Result<Endured> {
    let (mut child, stdin, stdout) = Child::start(&mut plan.server())?;
    let flags = fcntl_getfl(&stdin)?;
    fcntl_setfl(&stdin, flags | OFlags::NONBLOCK)?;
    let mut wire = Wire { stdin, stdout, inbox: Inbox::new(), out: Vec::new(), sent: 0 };
    let mut book = Book::new(plan.mix, WINDOW);
    let mut endured = Endured::default();
    for (decile, calls) in deciles(plan.calls) {
        show(&format!("stdio: decile {decile}"));
        let clock = Instant::now();
        book.extend(calls);
        if let Err(error) = wire.exchange(&mut book, &child) {
            let waiting = book.waiting();
            return Err(anyhow!("{error:#}; {}; these calls were open: {waiting:?}", child.end()));
        }
        endured.add(calls, clock, child.id())?;
    }
    let Wire { stdin, stdout, mut inbox, .. } = wire;
    drop(stdin);
    child.ends_well()?;
    inbox.ends_here(stdout)?;
    endured.refused = Some(book.refused());
    endured.counts = book.counts;
    Ok(endured)
}

/// The pipes to the server, of which neither keeps the other waiting.
struct Wire {
    stdin: ChildStdin,
    stdout: ChildStdout,
    inbox: Inbox,
    out: Vec<u8>,
    /// How much of `out` was written.
    sent: usize,
}

impl Wire {
    /// Makes the calls that the book allows, and takes all answers.
    fn exchange(&mut self, book: &mut Book, child: &Child) -> Result<()> {
        while !book.is_done() {
            book.send(&mut self.out);
            let is_written = self.write()?;
            if is_written || self.has_answers()? {
                self.inbox.fill(&mut self.stdout).context("reading answers")?;
                while let Some(line) = self.inbox.line() {
                    book.take(line, &mut self.out)?;
                }
                child.lives();
            }
        }
        Ok(())
    }

    /// Writes what the pipe takes; true if that is all.
    fn write(&mut self) -> Result<bool> {
        while self.sent < self.out.len() {
            match self.stdin.write(&self.out[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error).context("writing requests"),
            }
        }
        self.out.clear();
        self.sent = 0;
        Ok(true)
    }

    /// Waits until more can be written or an answer has come; true if it is the latter.
    fn has_answers(&self) -> Result<bool> {
        let mut ends =
            [PollFd::new(&self.stdin, PollFlags::OUT), PollFd::new(&self.stdout, PollFlags::IN)];
        poll(&mut ends, None).context("waiting for the server")?;
        Ok(!ends[1].revents().is_empty())
    }
}
