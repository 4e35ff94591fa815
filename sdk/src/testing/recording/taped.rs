//! The three parts of a connection that is recorded.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

use async_trait::async_trait;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::entry::Entry;
use super::tape::Tape;
use crate::agent::transport::{Incoming, Outgoing, Peer};
use crate::agent::{ProcessExit, decode_line};
use crate::jsonl::{Line, Lines};

/// A longer line is left out: 256 MiB, as much as a run takes by default.
const LONGEST: usize = 256 * 1024 * 1024;

pub(super) struct TapedOutput {
    incoming: Box<dyn Incoming>,
    lines: Lines,
    tape: Tape,
    /// What could not be recorded of the input.
    failures: UnboundedReceiver<io::Error>,
}

pub(super) struct TapedInput {
    outgoing: Box<dyn Outgoing>,
    tape: Tape,
    /// A run goes on without an input, and ends where its output fails.
    failures: UnboundedSender<io::Error>,
}

pub(super) struct TapedPeer {
    peer: Box<dyn Peer>,
    tape: Tape,
    has_exited: bool,
}

impl TapedOutput {
    pub(super) fn new(
        incoming: Box<dyn Incoming>,
        tape: Tape,
        failures: UnboundedReceiver<io::Error>,
    ) -> Self {
        Self { incoming, lines: Lines::new(LONGEST), tape, failures }
    }
}

impl TapedInput {
    pub(super) fn new(
        outgoing: Box<dyn Outgoing>,
        tape: Tape,
        failures: UnboundedSender<io::Error>,
    ) -> Self {
        Self { outgoing, tape, failures }
    }

    fn record(&self, entry: io::Result<Entry>) -> io::Result<()> {
        entry.and_then(|entry| self.tape.add(entry)).map_err(|error| {
            let kind = error.kind();
            // The run may be over.
            let _ = self.failures.send(error);
            kind.into()
        })
    }
}

impl TapedPeer {
    pub(super) fn new(peer: Box<dyn Peer>, tape: Tape) -> Self {
        Self { peer, tape, has_exited: false }
    }
}

#[async_trait]
impl Incoming for TapedOutput {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let from = buffer.len();
        let length = {
            let mut read = self.incoming.read(buffer);
            poll_fn(|cx| match self.failures.poll_recv(cx) {
                Poll::Ready(Some(error)) => Poll::Ready(Err(error)),
                Poll::Ready(None) | Poll::Pending => read.as_mut().poll(cx),
            })
            .await?
        };
        self.lines.push(buffer.get(from..).unwrap_or_default());
        while let Some(line) = self.lines.next() {
            record(&self.tape, line)?;
        }
        if length == 0 {
            self.lines.finish().map_or(Ok(()), |line| record(&self.tape, line))?;
            self.tape.end_output();
        }
        Ok(length)
    }
}

#[async_trait]
impl Outgoing for TapedInput {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Before the CLI can answer.
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let message = decode_line(line).map_err(|error| self.tape.failed(&error.into()));
            self.record(message.map(Entry::Sdk))?;
        }
        self.outgoing.write(bytes).await
    }

    async fn end(&mut self) -> io::Result<()> {
        // A CLI that has ended before did not wait for it, and in a replay it would.
        if !self.tape.output_has_ended() {
            self.record(Ok(Entry::InputEnd))?;
        }
        self.outgoing.end().await
    }
}

#[async_trait]
impl Peer for TapedPeer {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        let exit = self.peer.wait(closing).await;
        if !std::mem::replace(&mut self.has_exited, true)
            && let Err(error) = self.tape.add(Entry::exit(&exit))
        {
            tracing::error!("{error}");
        }
        exit
    }

    fn ender(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        self.peer.ender()
    }

    fn id(&self) -> Option<u32> {
        self.peer.id()
    }
}

fn record(tape: &Tape, line: Line<'_>) -> io::Result<()> {
    let line = match line {
        Line::Whole(line) => line,
        Line::TooLong { length, .. } => {
            tracing::warn!(length, "a line of the CLI's is too long to be recorded");
            return Ok(());
        }
    };
    tape.add(match decode_line(line) {
        Ok(message) => Entry::Cli(message),
        Err(_) => Entry::CliText(String::from_utf8_lossy(line).into_owned()),
    })
}
