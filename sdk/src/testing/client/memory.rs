//! A registry in this process, served as the hosts serve it.

use std::io::{self, ErrorKind};
use std::process::{self, ExitStatus};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::yield_now;

use super::peer::{Line, Peer};
use crate::ToolRegistry;
use crate::host::{Limits, Received, Runner, Shell};
use crate::mcp::{Host, Outbox};

/// A session on a runtime of its own, in a thread of its own: a client may block although its test
/// runs on a runtime.
pub(super) struct Memory {
    lines: Option<UnboundedSender<String>>,
}

impl Memory {
    /// Starts to serve; the lines of the session come through the channel.
    pub(super) fn start(registry: &ToolRegistry) -> io::Result<(Self, Receiver<Line>)> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (registry, (said, heard)) = (registry.clone(), channel());
        let (lines, received) = unbounded_channel();
        thread::Builder::new().name("test-server".into()).spawn(move || {
            // As a task it takes turns with the calls. A panic cannot reach it.
            let _ = runtime.block_on(runtime.spawn(serve(registry, received, said)));
        })?;
        Ok((Self { lines: Some(lines) }, heard))
    }
}

/// Serves until the client ends its input; then the calls that run are stopped.
async fn serve(registry: ToolRegistry, mut lines: UnboundedReceiver<String>, said: Sender<Line>) {
    // Whoever tests a task does not wait until it begins.
    let (outbox, limits) =
        (Outbox::new(), Limits { task_after: Duration::ZERO, ..Limits::default() });
    let runner = Runner::new(&registry, Host::InProcess, outbox, Said(said), limits);
    while let Some(line) = lines.recv().await {
        match runner.receive(line.as_bytes()) {
            Received::Call(call) => runner.run(call),
            Received::Batch(batch) => batch.calls.into_iter().for_each(|call| runner.run(call)),
            _ => {}
        }
        // Tasks have turns in the order in which they became ready. So before the next line is
        // taken, an `async` tool that was called has run until it waits, and one that was cancelled
        // has been dropped: tests can count on that.
        yield_now().await;
    }
    runner.close();
}

struct Said(Sender<Line>);

impl Shell for Said {
    fn said(&self, outbox: &mut Outbox) {
        for line in outbox.take(Vec::new()).split(|byte| *byte == b'\n') {
            if !line.is_empty() {
                // The client may be gone already.
                let _ = self.0.send((Instant::now(), line.to_owned()));
            }
        }
    }
}

impl Peer for Memory {
    fn send(&mut self, line: &str) -> io::Result<()> {
        let lines = self.lines.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        lines.send(line.to_owned()).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    fn end_input(&mut self) {
        self.lines = None;
    }

    fn wait(&mut self, _: Instant) -> io::Result<ExitStatus> {
        Ok(ExitStatus::default())
    }

    fn process(&self) -> u32 {
        process::id()
    }
}
