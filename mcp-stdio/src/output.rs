//! Messages on their way to the client. They are written at once as far as the pipe has room, and
//! otherwise by a thread of their own, so that neither the reader nor a tool waits for a client
//! that does not read.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};
use tokio::sync::Notify;
use toolwright::host::Shell;
use toolwright::mcp::Outbox;

use toolwright_console::{Sink, Thread};

/// A buffer with more memory than this is not kept for the next batch.
const KEEP: usize = 16 * 1024 * 1024;
/// The reader sends its batch once it has this many bytes.
const BATCH: usize = 1024 * 1024;
/// How many bytes of answers to anything but calls may wait above `max_unsent`.
const BEYOND: usize = 16 * 1024 * 1024;
/// The most bytes of one `write`, so that it is known soon that the client reads: one to a socket
/// returns only when all of them have room.
const WRITE: usize = 64 * 1024;
/// How long a client that has closed its end may read nothing before what it has not read is lost.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The output side of a server.
pub(crate) struct Output {
    wire: Sink,
    /// Starts the writer's thread; tests have one that fails.
    start: fn(Arc<Self>) -> io::Result<()>,
    /// With more unsent bytes than this the client is behind.
    max_unsent: usize,
    /// Bytes in the pipe's `unsent` and in the buffer that the writer has taken.
    unsent: AtomicUsize,
    /// How often the writer has written.
    writes: AtomicUsize,
    /// How often the reader has waited for room; it looks each time whether the client has ended.
    #[cfg(test)]
    pub(crate) waits: AtomicUsize,
    /// The reader's batch has reached [`BATCH`] bytes and must be sent.
    is_full: AtomicBool,
    /// Signals that the connection has ended.
    pub(crate) ended: Notify,
    /// Signals that the writer has sent a buffer.
    drained: Notify,
    /// Signals that the client is no longer behind.
    pub(crate) caught_up: Notify,
    pipe: Mutex<Pipe>,
    /// Signals that there is more to write, or more room.
    changed: Condvar,
}

/// The [`Shell`] of the session.
pub(crate) struct Client(pub(crate) Arc<Output>);

/// The bytes that are not written yet. The thread that holds its lock may write.
#[derive(Default)]
struct Pipe {
    /// Buffers, each with the number of its bytes that are sent already.
    unsent: VecDeque<(Vec<u8>, usize)>,
    /// An empty buffer, kept for its memory.
    spare: Vec<u8>,
    has_writer: bool,
    broken: bool,
    closed: bool,
}

impl Shell for Client {
    fn said(&self, outbox: &mut Outbox) {
        if outbox.len() > BATCH {
            self.0.is_full.store(true, Ordering::Relaxed);
        }
    }

    fn flush(&self, take: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        self.0.flush(take);
    }

    fn is_behind(&self) -> bool {
        self.0.is_behind()
    }
}

impl Output {
    pub(crate) fn new(wire: OwnedFd, max_unsent: usize) -> Self {
        Self {
            wire: Sink::of(wire),
            start: |output| {
                let writer = Builder::new().name("toolwright-write".into());
                Thread::spawn(writer, Box::new(move || output.write(true))).map(drop)
            },
            max_unsent,
            unsent: AtomicUsize::new(0),
            writes: AtomicUsize::new(0),
            #[cfg(test)]
            waits: AtomicUsize::new(0),
            is_full: AtomicBool::new(false),
            ended: Notify::new(),
            drained: Notify::new(),
            caught_up: Notify::new(),
            pipe: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// True if the reader's batch must be sent before more is added to it.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// True if no more calls may start until the client has read.
    pub(crate) fn is_behind(&self) -> bool {
        self.unsent.load(Ordering::SeqCst) > self.max_unsent
    }

    /// True if not even a short answer may be added until the client has read.
    pub(crate) fn is_stuffed(&self) -> bool {
        self.unsent.load(Ordering::SeqCst) > self.max_unsent.saturating_add(BEYOND)
    }

    /// A number that is different once the client has read more.
    pub(crate) fn writes(&self) -> usize {
        self.writes.load(Ordering::SeqCst)
    }

    /// Sends what `take` returns. `take` is called with the pipe locked, so that batches keep their
    /// order.
    fn flush(self: &Arc<Self>, take: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        let sent = {
            let mut pipe = self.pipe();
            // Reset before the batch is taken, so that messages added meanwhile are not missed.
            self.is_full.store(false, Ordering::Relaxed);
            let bytes = take(std::mem::take(&mut pipe.spare));
            match bytes.is_empty() {
                true => {
                    pipe.recycle(bytes);
                    Ok(true)
                }
                false => self.send(&mut pipe, bytes),
            }
        };
        if let Ok(false) = sent {
            self.write(false);
        }
        self.check(sent.map(drop));
    }

    /// Sends `bytes` after the unsent ones. Returns false if the caller must write the rest, as no
    /// thread can be had for it.
    fn send(self: &Arc<Self>, pipe: &mut Pipe, bytes: Vec<u8>) -> Result<bool, Errno> {
        if pipe.broken {
            return Ok(true);
        }
        let mut written = 0;
        if self.unsent.load(Ordering::SeqCst) == 0 {
            let now = self.wire.write_now(&bytes);
            written = now.or_else(|error| self.fail(pipe, error))?;
        }
        if written == bytes.len() {
            pipe.recycle(bytes);
            return Ok(true);
        }
        self.unsent.fetch_add(bytes.len() - written, Ordering::SeqCst);
        pipe.unsent.push_back((bytes, written));
        self.changed.notify_all();
        let has_writer = std::mem::replace(&mut pipe.has_writer, true);
        Ok(has_writer || (self.start)(self.clone()).is_ok())
    }

    /// Discards the unsent bytes and sends no more.
    fn fail<T>(&self, pipe: &mut Pipe, error: Errno) -> Result<T, Errno> {
        pipe.broken = true;
        pipe.unsent.clear();
        self.unsent.store(0, Ordering::SeqCst);
        Err(error)
    }

    /// Ends the server if the client reads no more. The pipe is not locked.
    fn check(&self, sent: Result<(), Errno>) {
        if let Err(error) = sent {
            // First, because a `tracing` layer may panic.
            self.ended.notify_one();
            tracing::debug!(%error, "the client takes no more answers");
        }
    }

    /// Waits until a short answer may be added, but at most for `limit`.
    pub(crate) fn wait_for_room(&self, limit: Duration) {
        #[cfg(test)]
        self.waits.fetch_add(1, Ordering::SeqCst);
        let waits = |pipe: &mut Pipe| self.is_stuffed() && !pipe.closed;
        drop(self.changed.wait_timeout_while(self.pipe(), limit, waits));
    }

    /// Waits until all bytes are sent, but at most for `limit`, which begins again whenever the
    /// client reads if `is_patient`.
    pub(crate) async fn drain(&self, limit: Duration, is_patient: bool) {
        loop {
            let writes = self.writes();
            let is_empty = tokio::time::timeout(limit, self.empty()).await.is_ok();
            if is_empty || !is_patient || self.writes() == writes {
                return;
            }
        }
    }

    async fn empty(&self) {
        loop {
            let drained = self.drained.notified();
            if self.unsent.load(Ordering::SeqCst) == 0 {
                return;
            }
            drained.await;
        }
    }

    /// The writer ends once it has sent all bytes.
    pub(crate) fn close(&self) {
        self.pipe().closed = true;
        self.changed.notify_all();
    }

    /// Writes what is unsent; the writer's thread `stays` for more until the output is closed.
    fn write(&self, stays: bool) {
        loop {
            let mut pipe = self
                .changed
                .wait_while(self.pipe(), |pipe| stays && pipe.unsent.is_empty() && !pipe.closed)
                .unwrap_or_else(PoisonError::into_inner);
            let Some((bytes, sent)) = pipe.unsent.pop_front() else {
                pipe.has_writer = false;
                return;
            };
            drop(pipe);
            let sent = self.write_all(bytes.get(sent..).unwrap_or_default());
            let sent = {
                let mut pipe = self.pipe();
                pipe.recycle(bytes);
                sent.or_else(|error| self.fail(&mut pipe, error))
            };
            self.changed.notify_all();
            self.drained.notify_waiters();
            if sent.is_err() {
                return self.check(sent);
            }
        }
    }

    /// Writes everything and waits as long as necessary.
    fn write_all(&self, mut bytes: &[u8]) -> Result<(), Errno> {
        while !bytes.is_empty() {
            let part = &bytes[..bytes.len().min(WRITE)];
            match retry_on_intr(|| rustix::io::write(&self.wire, part)) {
                // A file or device that takes nothing would take nothing forever.
                Ok(0) => return Err(Errno::IO),
                Ok(length) => {
                    bytes = &bytes[length..];
                    // Others may add to it meanwhile, and then count on being told.
                    let before = self.unsent.fetch_sub(length, Ordering::SeqCst);
                    self.writes.fetch_add(1, Ordering::SeqCst);
                    if before > self.max_unsent && before.saturating_sub(length) <= self.max_unsent
                    {
                        self.caught_up.notify_one();
                    }
                    self.changed.notify_all();
                }
                // The pipe is full.
                Err(Errno::AGAIN) => {
                    let mut fds = [PollFd::new(&self.wire, PollFlags::OUT)];
                    retry_on_intr(|| poll(&mut fds, None))?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn pipe(&self) -> MutexGuard<'_, Pipe> {
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pipe {
    fn recycle(&mut self, mut bytes: Vec<u8>) {
        if bytes.capacity() > self.spare.capacity() && bytes.capacity() <= KEEP {
            bytes.clear();
            self.spare = bytes;
        }
    }
}

#[cfg(test)]
mod tests;
