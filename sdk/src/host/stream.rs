//! A session on a connection of any kind.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::admission::Received;
use super::limits::Limits;
use super::runner::Runner;
use super::shell::Shell;
use crate::ToolRegistry;
use crate::jsonl::{Line, Lines};
use crate::mcp::{AskError, Host, Outbox};

const MIB: usize = 1024 * 1024;
/// How many bytes are read at once.
const READ: usize = 64 * 1024;
/// How long a client that is not read any more may read nothing.
const PATIENCE: Duration = Duration::from_secs(90);

/// Serves one client over a connection, such as a socket, in the form of MCP's standard input and
/// output: one message a line. It returns once the client has ended its side and its calls are
/// answered, for which they have a second, and the client has read the answers, or no more of them
/// for a second. Their questions to the client fail, as it cannot answer. Dropped earlier, it stops
/// them at once.
///
/// ```no_run
/// use tokio::net::UnixListener;
/// use toolwright::host::{Limits, serve};
/// use toolwright::{ToolRegistry, tool, tools};
///
/// #[tool(read_only)]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
/// let listener = UnixListener::bind("calc.sock")?;
/// loop {
///     let (reader, writer) = listener.accept().await?.0.into_split();
///     tokio::spawn(serve(registry.clone(), reader, writer, Limits::default()));
/// }
/// # }
/// ```
///
/// Calls run on the current tokio runtime, which needs its time driver. A line has at most 64 MiB;
/// a longer one is answered with an error. While more than 64 MiB of messages wait for the client
/// to read them, no call starts, and progress and log messages are dropped; 16 MiB later reading
/// stops until the client reads. If it reads nothing for 90 seconds then, the connection is given
/// up: whether it has ended its side cannot be seen any more.
///
/// It knows nothing of who connects: anybody may use the tools who can reach the listener.
///
/// # Errors
///
/// The connection breaks or is given up. A client that ends only its side is no error.
///
/// # Panics
///
/// If there is no current tokio runtime.
pub async fn serve(
    registry: ToolRegistry,
    reader: impl AsyncRead,
    writer: impl AsyncWrite,
    limits: Limits,
) -> io::Result<()> {
    Bounds::DEFAULT.serve(&registry, reader, writer, limits).await
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) max_line: usize,
    pub(super) max_unsent: usize,
    /// How many bytes of answers to anything but calls may wait above `max_unsent`.
    pub(super) beyond: usize,
    pub(super) grace: Duration,
}

/// What the client has not taken yet.
struct Unsent {
    bytes: Mutex<Vec<u8>>,
    /// How many these are, with those that are being written.
    count: AtomicUsize,
    most: usize,
    /// How many were written so far.
    sent: AtomicUsize,
    is_closed: AtomicBool,
    /// Signals that there is more to write, or that no more will come.
    more: Notify,
    /// Signals that some of it is written.
    written: Notify,
}

/// The [`Shell`] of the session.
struct ToClient(Arc<Unsent>);

/// Ends the session, however the connection ends: running calls hold the runner.
struct Closes(Arc<Runner>);

impl Bounds {
    const DEFAULT: Self = Self {
        max_line: 64 * MIB,
        max_unsent: 64 * MIB,
        beyond: 16 * MIB,
        grace: Duration::from_secs(1),
    };

    pub(super) async fn serve(
        self,
        registry: &ToolRegistry,
        reader: impl AsyncRead,
        writer: impl AsyncWrite,
        limits: Limits,
    ) -> io::Result<()> {
        let unsent = Arc::new(Unsent {
            bytes: Mutex::default(),
            count: AtomicUsize::new(0),
            most: self.max_unsent,
            sent: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            more: Notify::new(),
            written: Notify::new(),
        });
        let shell = ToClient(unsent.clone());
        let runner = Runner::new(registry, Host::InProcess, Outbox::new(), shell, limits);
        let closes = Closes(runner.clone());
        let (reader, writer) = (pin!(reader), pin!(writer));
        let mut writing = pin!(write(&runner, &unsent, writer));
        let mut reading = pin!(async {
            self.read(&runner, &unsent, reader).await?;
            loop {
                let sent = unsent.sent();
                let idle = timeout(self.grace, runner.idle()).await;
                // Calls that wait for the client to read have more time while it does.
                if idle.is_ok() || !unsent.is_behind() || unsent.sent() == sent {
                    return Ok(());
                }
            }
        });
        // Writing goes on until it is told that no more will come.
        poll_fn(|cx| match writing.as_mut().poll(cx) {
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            _ => reading.as_mut().poll(cx),
        })
        .await?;
        drop(closes);
        unsent.close();
        loop {
            let sent = unsent.sent();
            let wrote = timeout(self.grace, writing.as_mut()).await;
            // A client that reads no more is not waited for.
            if wrote.is_ok() || unsent.sent() == sent {
                return wrote.unwrap_or(Ok(()));
            }
        }
    }

    /// Passes the lines of the client to the session until they end.
    async fn read(
        self,
        runner: &Runner,
        unsent: &Unsent,
        mut reader: Pin<&mut impl AsyncRead>,
    ) -> io::Result<()> {
        let mut lines = Lines::new(self.max_line);
        let mut chunk = vec![0; READ];
        loop {
            let mut buffer = ReadBuf::new(&mut chunk);
            poll_fn(|cx| reader.as_mut().poll_read(cx, &mut buffer)).await?;
            if buffer.filled().is_empty() {
                break;
            }
            lines.push(buffer.filled());
            while let Some(line) = lines.next() {
                receive(runner, line);
                // One line may have a long answer.
                while unsent.count() > self.max_unsent.saturating_add(self.beyond) {
                    timeout(PATIENCE, unsent.written.notified()).await?;
                }
            }
        }
        if let Some(line) = lines.finish() {
            receive(runner, line);
        }
        runner.ask_no_more(&AskError::Closed);
        Ok(())
    }
}

fn receive(runner: &Runner, line: Line<'_>) {
    let line = match line {
        Line::Whole(line) => line,
        Line::TooLong { head, tail, length } => {
            return runner.receive_too_long(head, tail, length);
        }
    };
    match runner.receive(line) {
        Received::Call(call) => runner.run(call),
        Received::Batch(batch) => batch.calls.into_iter().for_each(|call| runner.run(call)),
        Received::Nothing | Received::Cancelled(_) | Received::Closed => {}
    }
}

/// Writes what the session says, until no more will come.
async fn write(
    runner: &Runner,
    unsent: &Unsent,
    mut writer: Pin<&mut impl AsyncWrite>,
) -> io::Result<()> {
    loop {
        // No lock is held while the connection writes.
        let bytes = std::mem::take(&mut *unsent.bytes());
        if bytes.is_empty() {
            if unsent.is_closed.load(Ordering::SeqCst) {
                return Ok(());
            }
            unsent.more.notified().await;
            continue;
        }
        let mut rest = &*bytes;
        while !rest.is_empty() {
            let length = poll_fn(|cx| writer.as_mut().poll_write(cx, rest)).await?;
            if length == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            rest = &rest[length..];
            if unsent.wrote(length) {
                runner.resume();
            }
        }
        poll_fn(|cx| writer.as_mut().poll_flush(cx)).await?;
    }
}

impl Unsent {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }

    fn is_behind(&self) -> bool {
        self.count() > self.most
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.more.notify_one();
    }

    /// Notes that so many bytes are written. True if the client is no longer behind.
    fn wrote(&self, length: usize) -> bool {
        let before = self.count.fetch_sub(length, Ordering::SeqCst);
        self.sent.fetch_add(length, Ordering::SeqCst);
        self.written.notify_one();
        before > self.most && before - length <= self.most
    }
}

impl Shell for ToClient {
    fn said(&self, outbox: &mut Outbox) {
        let said = outbox.take(Vec::new());
        self.0.count.fetch_add(said.len(), Ordering::SeqCst);
        self.0.bytes().extend(said);
        self.0.more.notify_one();
    }

    fn is_behind(&self) -> bool {
        self.0.is_behind()
    }
}

impl Drop for Closes {
    fn drop(&mut self) {
        self.0.close();
    }
}
