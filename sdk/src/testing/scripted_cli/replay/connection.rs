//! The connection to the [`Player`]. It has no task: the recording goes on as its output is read.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use super::player::{Player, Progress};
use crate::agent::ProcessExit;
use crate::agent::transport::{Connection, Incoming, Outgoing, Peer, exited};

/// How long something may be missing that other messages have overtaken.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn connect(player: Player) -> Connection {
    let player = Arc::new(player);
    Connection::new(Output(player.clone()), Input(player.clone()), Process(player))
}

struct Output(Arc<Player>);

struct Input(Arc<Player>);

struct Process(Arc<Player>);

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            match self.0.advance(buffer) {
                Progress::Said(length) => return Ok(length),
                Progress::Over => return Ok(0),
                Progress::Waits => self.0.changed.notified().await,
                Progress::Misses(at) => {
                    if timeout(PATIENCE, self.0.changed.notified()).await.is_err() {
                        self.0.miss(at);
                    }
                }
            }
        }
    }
}

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            if self.0.has_ended() {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.0.receive(line);
        }
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        self.0.end_input();
        Ok(())
    }
}

#[async_trait]
impl Peer for Process {
    async fn wait(&mut self, _closing: bool) -> ProcessExit {
        exited(&mut self.0.exit.subscribe()).await
    }
}
