//! The one event loop of a run: reads what the CLI writes and sees the run to its end. It waits for
//! no callback, not for the CLI to read, and for the consumer of the messages only for moments.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::task::coop::consume_budget;
use tokio::time::timeout;

use super::core::Core;
use super::error::{ProcessExit, RunError};
use super::reader::Reader;
use super::trace::Trace;
use super::transport::{Connection, Incoming, Outgoing};

/// How long output may still come once the process has ended: a child of it may hold the pipe open
/// for ever.
const LAST_OUTPUT: Duration = Duration::from_millis(200);
/// The same for a CLI that had to be ended, if its output comes without a pause.
const ALL_OUTPUT: Duration = Duration::from_secs(2);

/// The end of the process.
type Wait<'a> = Pin<Box<dyn Future<Output = ProcessExit> + Send + 'a>>;

enum Event {
    /// So many bytes came; none is the end.
    Read(io::Result<usize>),
    Exited(ProcessExit),
    /// The run was stopped, its deadline has changed, or a line to the CLI was lost.
    Changed,
    /// The deadline has passed.
    Overdue,
}

/// Runs until the CLI has ended and leaves nothing of it behind.
pub(crate) async fn drive(core: Arc<Core>, connection: Connection, max_line: usize, trace: Trace) {
    let Connection { mut incoming, outgoing, mut peer } = connection;
    let writer = tokio::spawn(write(core.clone(), outgoing));
    let _over = Over(&core);
    let mut reader = Reader::new(&core, max_line, trace);
    let (mut exit, mut failure) = (None, None);
    {
        let mut wait = peer.wait(false);
        loop {
            match next(&core, &mut *incoming, &mut wait, &mut reader).await {
                Event::Read(Ok(0)) => break,
                Event::Read(Ok(_)) => {
                    reader.take_lines();
                    // Output may come without end, and others have to run, too.
                    consume_budget().await;
                }
                Event::Read(Err(error)) => {
                    failure = Some(RunError::Transport(error.into()));
                    break;
                }
                Event::Exited(ended) => {
                    read_the_rest(&core, &mut *incoming, &mut reader).await;
                    exit = Some(ended);
                    break;
                }
                Event::Overdue => break,
                Event::Changed if core.is_stopped() => break,
                Event::Changed => {}
            }
        }
    }
    core.lifecycle.ending();
    core.channel.writer.end();
    let exit = match exit {
        Some(exit) => exit,
        None => close(&core, &mut *incoming, peer.wait(true), &mut reader).await,
    };
    reader.take_last_line();
    writer.abort();
    drop(incoming);
    let error = core.lifecycle.failure(&exit, failure);
    reader.end(error.as_ref());
    core.end(exit, error);
}

/// Writes to the CLI until its input is closed.
async fn write(core: Arc<Core>, outgoing: Box<dyn Outgoing>) {
    if let Err(error) = core.channel.clone().run(outgoing).await {
        tracing::debug!(%error, "the CLI takes no more input");
        core.lifecycle.unwritable(error).await;
    }
}

/// Ends the run when it is dropped, if it has not ended: the runtime may be shut down at any time.
struct Over<'a>(&'a Core);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        if self.0.lifecycle.exit().is_none() {
            let error =
                RunError::Transport(Arc::new(io::Error::other("the runtime was shut down")));
            self.0.end(ProcessExit::default(), Some(error));
        }
    }
}

/// The first event.
async fn next(
    core: &Core,
    incoming: &mut dyn Incoming,
    wait: &mut Wait<'_>,
    reader: &mut Reader<'_>,
) -> Event {
    let mut changed = pin!(core.lifecycle.changed());
    let mut overdue = pin!(core.lifecycle.overdue());
    let mut read = pin!(async {
        core.inbox.room().await;
        reader.read(incoming).await
    });
    poll_fn(|cx| {
        if changed.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Event::Changed);
        }
        if overdue.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Event::Overdue);
        }
        if let Poll::Ready(read) = read.as_mut().poll(cx) {
            return Poll::Ready(Event::Read(read));
        }
        wait.as_mut().poll(cx).map(Event::Exited)
    })
    .await
}

/// Waits for the end of a CLI whose input is closed. What it still writes is read, as it could not
/// end otherwise.
async fn close(
    core: &Core,
    incoming: &mut dyn Incoming,
    mut wait: Wait<'_>,
    reader: &mut Reader<'_>,
) -> ProcessExit {
    let mut has_ended = false;
    loop {
        let event = {
            let mut read = pin!(reader.read(incoming));
            poll_fn(|cx| {
                // Before the output, which may come without end, as this ends the CLI.
                if let Poll::Ready(exit) = wait.as_mut().poll(cx) {
                    return Poll::Ready(Event::Exited(exit));
                }
                match has_ended {
                    false => read.as_mut().poll(cx).map(Event::Read),
                    true => Poll::Pending,
                }
            })
            .await
        };
        match event {
            Event::Read(Ok(1..)) => {
                reader.take_lines();
                consume_budget().await;
            }
            Event::Exited(exit) => {
                if !has_ended {
                    let rest = read_the_rest(core, incoming, reader);
                    let _ = timeout(ALL_OUTPUT, rest).await;
                }
                return exit;
            }
            _ => has_ended = true,
        }
    }
}

/// Reads what the process wrote before it ended. Of a run that was stopped only a session store
/// gets it.
async fn read_the_rest(core: &Core, incoming: &mut dyn Incoming, reader: &mut Reader<'_>) {
    while !core.lifecycle.is_stopped() && reads_on(incoming, reader).await {}
    if core.lifecycle.is_stopped() && core.is_mirrored() {
        // It may come without end.
        let rest = async { while reads_on(incoming, reader).await {} };
        let _ = timeout(ALL_OUTPUT, rest).await;
    }
}

/// Reads once more. False if nothing comes.
async fn reads_on(incoming: &mut dyn Incoming, reader: &mut Reader<'_>) -> bool {
    let Ok(Ok(1..)) = timeout(LAST_OUTPUT, reader.read(incoming)).await else { return false };
    reader.take_lines();
    consume_budget().await;
    true
}

#[cfg(test)]
mod tests;
