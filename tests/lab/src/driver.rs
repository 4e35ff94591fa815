use std::io::{ErrorKind, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use crate::answer::Checker;
use crate::call::Batch;
use crate::inbox::Inbox;
use crate::session::Session;

/// Calls one after the other; the time of each, up to its whole answer, goes to `latencies` in
/// nanoseconds.
pub fn one_at_a_time(
    session: &mut Session,
    batch: &Batch,
    checker: &mut Checker,
    latencies: &mut Vec<u64>,
) -> Result<Duration> {
    session.watchdog.feed();
    let clock = Instant::now();
    let mut before = clock;
    for position in 0..batch.count {
        session
            .stdin
            .write_all(batch.lines(position, position + 1))
            .context("writing a request")?;
        let line = loop {
            session.inbox.fill(&mut session.stdout).context("reading an answer")?;
            if let Some(line) = session.inbox.line() {
                break line;
            }
        };
        let after = Instant::now();
        latencies.push(u64::try_from((after - before).as_nanos()).unwrap_or(u64::MAX));
        ensure!(checker.check(batch, line)? == position, "an answer to another request");
        before = Instant::now();
    }
    session.watchdog.rest();
    Ok(clock.elapsed())
}

/// Keeps `window` calls in flight: whatever answers one read brings are replaced by as many
/// requests with one write.
///
/// The pipe takes a whole window, or the server reads on while it answers, so that blocking writes
/// do no harm.
pub fn windowed(
    session: &mut Session,
    batch: &Batch,
    checker: &mut Checker,
    window: usize,
) -> Result<Duration> {
    session.watchdog.feed();
    let mut answered = Answered::none_of(batch);
    let clock = Instant::now();
    let mut sent = window.min(batch.count);
    session.stdin.write_all(batch.lines(0, sent)).context("writing requests")?;
    while answered.count < batch.count {
        session.inbox.fill(&mut session.stdout).context("reading answers")?;
        answered.take(&mut session.inbox, batch, checker)?;
        let refill = (answered.count + window).min(batch.count);
        if refill > sent {
            session.stdin.write_all(batch.lines(sent, refill)).context("writing requests")?;
            sent = refill;
        }
    }
    session.watchdog.rest();
    Ok(clock.elapsed())
}

/// Calls one after the other whose lines are larger than a pipe.
///
/// A server may answer before it has read all, so nothing here blocks but the wait for either side.
/// The flag belongs to this end of the pipe alone and the server does not see it.
pub fn large(session: &mut Session, batch: &Batch, checker: &mut Checker) -> Result<Duration> {
    session.watchdog.feed();
    set_blocking(&session.stdin, false)?;
    let clock = Instant::now();
    for position in 0..batch.count {
        let mut rest = batch.lines(position, position + 1);
        let mut answered = Answered::none_of(batch);
        while answered.count == 0 {
            while !rest.is_empty() {
                match session.stdin.write(rest) {
                    Ok(count) => rest = &rest[count..],
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error).context("writing a request"),
                }
            }
            if rest.is_empty() || answer_waits(session)? {
                session.inbox.fill(&mut session.stdout).context("reading an answer")?;
                answered.take(&mut session.inbox, batch, checker)?;
            }
        }
        ensure!(answered.seen[position] && rest.is_empty(), "an answer to another request");
    }
    let elapsed = clock.elapsed();
    session.watchdog.rest();
    set_blocking(&session.stdin, true)?;
    Ok(elapsed)
}

struct Answered {
    seen: Vec<bool>,
    count: usize,
}

impl Answered {
    fn none_of(batch: &Batch) -> Self {
        Self { seen: vec![false; batch.count], count: 0 }
    }

    fn take(&mut self, inbox: &mut Inbox, batch: &Batch, checker: &mut Checker) -> Result<()> {
        while let Some(line) = inbox.line() {
            let position = checker.check(batch, line)?;
            ensure!(!self.seen[position], "a second answer to a request");
            self.seen[position] = true;
            self.count += 1;
        }
        Ok(())
    }
}

/// Waits until more can be written or an answer has come, and says whether it is the latter.
fn answer_waits(session: &Session) -> Result<bool> {
    let mut ends =
        [PollFd::new(&session.stdin, PollFlags::OUT), PollFd::new(&session.stdout, PollFlags::IN)];
    poll(&mut ends, None).context("waiting for the server")?;
    Ok(!ends[1].revents().is_empty())
}

fn set_blocking(end: impl AsFd, blocking: bool) -> Result<()> {
    let mut flags = fcntl_getfl(&end)?;
    flags.set(OFlags::NONBLOCK, !blocking);
    Ok(fcntl_setfl(&end, flags)?)
}
