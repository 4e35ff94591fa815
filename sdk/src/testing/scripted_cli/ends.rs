//! The connection: what the SDK writes goes straight to the [`Cli`], what that says waits until the
//! SDK reads it.

use std::collections::VecDeque;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::task::AbortHandle;

use super::cli::Cli;
use super::turn::Turn;
use crate::agent::ProcessExit;
use crate::agent::transport::{Connection, Incoming, Outgoing, Peer};

/// Begins to play.
pub(super) fn connect(cli: Arc<Cli>, turns: VecDeque<Turn>) -> Connection {
    let playing = Playing(cli.clone());
    let task = tokio::spawn(async move {
        let is_error = playing.0.converse(turns).await;
        playing.0.end(is_error);
    });
    Connection::new(Said(cli.clone()), Told(cli.clone()), Played { cli, task: task.abort_handle() })
}

/// What plays. However it goes, the SDK is told of the end: the runtime may be shut down in the
/// midst of it.
struct Playing(Arc<Cli>);

impl Drop for Playing {
    fn drop(&mut self) {
        if self.0.state().ended.is_none() {
            self.0.end(true);
        }
    }
}

struct Said(Arc<Cli>);

struct Told(Arc<Cli>);

struct Played {
    cli: Arc<Cli>,
    task: AbortHandle,
}

#[async_trait]
impl Incoming for Said {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            let said = std::mem::take(&mut self.0.state().said);
            if !said.is_empty() {
                buffer.extend_from_slice(&said);
                return Ok(said.len());
            }
            if self.0.state().ended.is_some() {
                return Ok(0);
            }
            self.0.to_read.notified().await;
        }
    }
}

#[async_trait]
impl Outgoing for Told {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.0.state().ended.is_some() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .for_each(|line| self.0.receive(line));
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        self.0.end_input();
        Ok(())
    }
}

/// Ends by itself once its input has ended, so that nothing has to be forced: all that it can wait
/// for then is over.
#[async_trait]
impl Peer for Played {
    async fn wait(&mut self, _closing: bool) -> ProcessExit {
        let mut ended = self.cli.at_end.subscribe();
        // The sender is in the CLI, which outlives this.
        let _ = ended.wait_for(|ended| *ended).await;
        let is_error = self.cli.state().ended.unwrap_or(true);
        // The real one ends with 1 after an error result, and otherwise with 0.
        let status = ExitStatus::from_raw(if is_error { 1 << 8 } else { 0 });
        ProcessExit { status: Some(status), ..ProcessExit::default() }
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        self.task.abort();
    }
}
