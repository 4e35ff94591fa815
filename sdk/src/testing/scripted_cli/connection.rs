//! The connection to the [`Cli`]: bytes of the SDK go straight to it, and its output waits until
//! the SDK reads it.

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

/// Starts to play the script.
pub(super) fn connect(cli: Arc<Cli>, turns: VecDeque<Turn>) -> Connection {
    let playing = Playing(cli.clone());
    let task = tokio::spawn(async move {
        let is_error = playing.0.converse(turns).await;
        playing.0.end(is_error);
    });
    let process = Process { cli: cli.clone(), task: task.abort_handle() };
    Connection::new(Output(cli.clone()), Input(cli), process)
}

/// The running script. Its drop ends the CLI in any case, also when the runtime is shut down.
struct Playing(Arc<Cli>);

impl Drop for Playing {
    fn drop(&mut self) {
        if self.0.state().ended.is_none() {
            self.0.end(true);
        }
    }
}

struct Output(Arc<Cli>);

struct Input(Arc<Cli>);

struct Process {
    cli: Arc<Cli>,
    task: AbortHandle,
}

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            let unread = std::mem::take(&mut self.0.state().unread);
            if !unread.is_empty() {
                buffer.extend_from_slice(&unread);
                return Ok(unread.len());
            }
            if self.0.state().ended.is_some() {
                return Ok(0);
            }
            self.0.output_ready.notified().await;
        }
    }
}

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.0.state().ended.is_some() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.for_each(|line| self.0.receive(line));
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        self.0.end_input();
        Ok(())
    }
}

/// The CLI exits by itself once its input has ended, because nothing that it waits for remains. It
/// never has to be forced.
#[async_trait]
impl Peer for Process {
    async fn wait(&mut self, _closing: bool) -> ProcessExit {
        let mut ended = self.cli.at_end.subscribe();
        // The sender belongs to the CLI, which outlives this future.
        let _ = ended.wait_for(|ended| *ended).await;
        let is_error = self.cli.state().ended.unwrap_or(true);
        // The real CLI exits with 1 after an error result and with 0 otherwise.
        let status = ExitStatus::from_raw(if is_error { 1 << 8 } else { 0 });
        ProcessExit { status: Some(status), ..ProcessExit::default() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.task.abort();
    }
}
