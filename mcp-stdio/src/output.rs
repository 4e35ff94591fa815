//! Messages on their way to the client. They are written at once as far as the pipe has room, and
//! otherwise by a thread of their own, so that neither the reader nor a tool waits for a client
//! that does not read.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};
use tokio::sync::Notify;
use toolwright::host::Shell;
use toolwright::mcp::Outbox;

/// A buffer with more memory than this is not kept for the next batch.
const KEEP: usize = 16 * 1024 * 1024;
/// The reader sends its batch once it has this many bytes.
const BATCH: usize = 1024 * 1024;

/// The output side of a server.
pub(crate) struct Output {
    wire: OwnedFd,
    /// With more unsent bytes than this the client is behind.
    max_unsent: usize,
    /// The reader's batch has reached [`BATCH`] bytes and must be sent.
    is_full: AtomicBool,
    /// Signals that the connection has ended.
    pub(crate) ended: Notify,
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
    /// Bytes in `unsent` and in the buffer that the writer has taken.
    unsent_bytes: usize,
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
        self.0.pipe().unsent_bytes > self.0.max_unsent
    }
}

impl Output {
    pub(crate) fn new(wire: OwnedFd, max_unsent: usize) -> Self {
        Self {
            wire,
            max_unsent,
            is_full: AtomicBool::new(false),
            ended: Notify::new(),
            pipe: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// True if the reader's batch must be sent before more is added to it.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
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
                    Ok(())
                }
                false => self.send(&mut pipe, bytes),
            }
        };
        self.check(sent);
    }

    /// Sends `bytes` after the unsent ones.
    fn send(self: &Arc<Self>, pipe: &mut Pipe, bytes: Vec<u8>) -> Result<(), Errno> {
        if pipe.broken {
            return Ok(());
        }
        let mut written = 0;
        if pipe.unsent_bytes == 0 {
            written = write_now(self.wire.as_fd(), &bytes).or_else(|error| pipe.fail(error))?;
        }
        if written == bytes.len() {
            pipe.recycle(bytes);
            return Ok(());
        }
        pipe.unsent_bytes += bytes.len() - written;
        pipe.unsent.push_back((bytes, written));
        if !pipe.has_writer {
            pipe.has_writer = true;
            let output = self.clone();
            let writer = thread::Builder::new().name("toolwright-write".into());
            if writer.spawn(move || output.write()).is_err() {
                return pipe.fail(Errno::AGAIN);
            }
        }
        self.changed.notify_all();
        Ok(())
    }

    /// Ends the server if the client reads no more. The pipe is not locked.
    fn check(&self, sent: Result<(), Errno>) {
        if let Err(error) = sent {
            // First, because a `tracing` layer may panic.
            self.ended.notify_one();
            tracing::debug!(%error, "the client takes no more answers");
        }
    }

    /// Waits until the client is not behind; returns false if the output is broken.
    pub(crate) fn wait_for_room(&self) -> bool {
        let waits =
            |pipe: &mut Pipe| pipe.unsent_bytes > self.max_unsent && !pipe.broken && !pipe.closed;
        let pipe = self.changed.wait_while(self.pipe(), waits);
        !pipe.unwrap_or_else(PoisonError::into_inner).broken
    }

    /// Waits until all bytes are sent, but at most for `limit`. The writer ends once it has sent
    /// all bytes.
    pub(crate) fn close(&self, limit: Duration) {
        let pipe = self.pipe();
        let (mut pipe, _) = self
            .changed
            .wait_timeout_while(pipe, limit, |pipe| pipe.unsent_bytes > 0 && !pipe.broken)
            .unwrap_or_else(PoisonError::into_inner);
        pipe.closed = true;
        self.changed.notify_all();
    }

    /// The loop of the writer's thread.
    fn write(&self) {
        let mut pipe = self.pipe();
        loop {
            pipe = self
                .changed
                .wait_while(pipe, |pipe| pipe.unsent.is_empty() && !pipe.closed)
                .unwrap_or_else(PoisonError::into_inner);
            let Some((bytes, sent)) = pipe.unsent.pop_front() else { return };
            drop(pipe);
            let rest = bytes.get(sent..).unwrap_or_default();
            let (length, sent) = (rest.len(), write_all(self.wire.as_fd(), rest));
            pipe = self.pipe();
            pipe.unsent_bytes = pipe.unsent_bytes.saturating_sub(length);
            pipe.recycle(bytes);
            let sent = sent.or_else(|error| pipe.fail(error));
            self.changed.notify_all();
            if sent.is_err() {
                drop(pipe);
                return self.check(sent);
            }
        }
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

    /// Discards the unsent bytes and sends no more.
    fn fail<T>(&mut self, error: Errno) -> Result<T, Errno> {
        self.broken = true;
        self.unsent.clear();
        self.unsent_bytes = 0;
        Err(error)
    }
}

/// Writes as much as there is room for, without waiting.
#[cfg(target_os = "linux")]
fn write_now(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    use rustix::io::ReadWriteFlags;
    let mut written = 0;
    while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
        // An offset of -1 is the current position, which is all that a pipe or socket has.
        match retry_on_intr(|| {
            rustix::io::pwritev2(
                fd,
                &[std::io::IoSlice::new(rest)],
                u64::MAX,
                ReadWriteFlags::NOWAIT,
            )
        }) {
            Ok(length) => written += length,
            // Files and terminals do not support this: the writer's thread writes instead.
            Err(Errno::AGAIN | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

/// On other systems the writer's thread writes everything.
#[cfg(not(target_os = "linux"))]
fn write_now(_: BorrowedFd<'_>, _: &[u8]) -> Result<usize, Errno> {
    Ok(0)
}

/// Writes some bytes to a descriptor that is ready for them, and blocks as little as the system
/// allows.
pub(crate) fn write_some(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    match write_now(fd, bytes)? {
        // A pipe that is ready has room for this much.
        0 => retry_on_intr(|| rustix::io::write(fd, &bytes[..bytes.len().min(512)])),
        written => Ok(written),
    }
}

/// Writes everything and waits as long as necessary.
fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match retry_on_intr(|| rustix::io::write(fd, bytes)) {
            Ok(length) => bytes = &bytes[length..],
            // Another process that shares the pipe has made it non-blocking.
            Err(Errno::AGAIN) => {
                let mut fds = [PollFd::new(&fd, PollFlags::OUT)];
                retry_on_intr(|| poll(&mut fds, None))?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
