//! The connection to the [`Cli`]: bytes of the SDK go straight to it, and its output waits until
//! the SDK reads it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::cli::Cli;
use super::exit;
use super::script::Script;
use crate::agent::ProcessExit;
use crate::agent::transport::{Connection, Incoming, Outgoing, Peer, exited};

/// The time that the CLI has to end once its input has, as a process has by default.
const GRACE: Duration = Duration::from_secs(5);
const SIGTERM: u8 = 15;

/// Starts to play the script.
pub(super) fn connect(cli: Arc<Cli>, script: Script) -> Connection {
    let playing = Playing(cli.clone());
    let task = tokio::spawn(async move {
        let exit = playing.0.converse(script).await;
        playing.0.end(exit);
    });
    let process = Process { cli: cli.clone(), task: task.abort_handle() };
    Connection::new(Output(cli.clone()), Input(cli), process)
}

/// The running script. Its drop ends the CLI in any case, also when the runtime is shut down.
struct Playing(Arc<Cli>);

impl Drop for Playing {
    fn drop(&mut self) {
        self.0.end(exit::with_code(1, String::new()));
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
            if self.0.exit.borrow().is_some() {
                return Ok(0);
            }
            self.0.output_ready.notified().await;
        }
    }
}

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.0.exit.borrow().is_some() {
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

/// The CLI exits by itself once its input has ended, unless the script holds it back.
#[async_trait]
impl Peer for Process {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        let mut exit = self.cli.exit.subscribe();
        if closing && timeout(GRACE, exited(&mut exit)).await.is_err() {
            self.cli.end(exit::by_signal(SIGTERM, String::new()));
            self.task.abort();
        }
        exited(&mut exit).await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.task.abort();
    }
}
