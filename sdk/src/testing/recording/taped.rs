//! The three parts of a connection that is recorded.

use std::io;

use async_trait::async_trait;
use serde_json::Value;

use super::entry::Entry;
use super::tape::Tape;
use crate::agent::ProcessExit;
use crate::agent::transport::{Incoming, Outgoing, Peer};
use crate::jsonl::{Line, Lines};

/// A longer line is left out: 256 MiB, as much as a run takes by default.
const LONGEST: usize = 256 * 1024 * 1024;

pub(super) struct TapedOutput {
    incoming: Box<dyn Incoming>,
    lines: Lines,
    tape: Tape,
}

pub(super) struct TapedInput {
    outgoing: Box<dyn Outgoing>,
    tape: Tape,
}

pub(super) struct TapedPeer {
    peer: Box<dyn Peer>,
    tape: Tape,
    has_exited: bool,
}

impl TapedOutput {
    pub(super) fn new(incoming: Box<dyn Incoming>, tape: Tape) -> Self {
        Self { incoming, lines: Lines::new(LONGEST), tape }
    }
}

impl TapedInput {
    pub(super) fn new(outgoing: Box<dyn Outgoing>, tape: Tape) -> Self {
        Self { outgoing, tape }
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
        let length = self.incoming.read(buffer).await?;
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
            self.tape.add(Entry::Sdk(serde_json::from_slice(line)?))?;
        }
        self.outgoing.write(bytes).await
    }

    async fn end(&mut self) -> io::Result<()> {
        // A CLI that has ended before did not wait for it, and in a replay it would.
        if !self.tape.output_has_ended() {
            self.tape.add(Entry::InputEnd)?;
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
    tape.add(match serde_json::from_slice::<Value>(line) {
        Ok(message) => Entry::Cli(message),
        Err(_) => Entry::CliText(String::from_utf8_lossy(line).into_owned()),
    })
}
