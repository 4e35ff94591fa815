//! Answers on their way to the client: written at once as far as there is room, and by a thread of
//! their own beyond that, so that neither the reader nor a tool ever waits for a client that does
//! not read.

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

/// A buffer above this is not kept for the next batch.
const KEEP: usize = 16 * 1024 * 1024;
/// The reader sends its batch when that has grown to so many bytes.
const BATCH: usize = 1024 * 1024;

/// The way out.
pub(crate) struct Output {
    wire: OwnedFd,
    /// With more bytes unsent a client is behind.
    max_unsent: usize,
    /// The reader's batch has grown so much that it is to be sent.
    is_full: AtomicBool,
    /// Signals that no more is to come from the client.
    pub(crate) ended: Notify,
    pipe: Mutex<Pipe>,
    /// Signals every change that somebody may wait for: more to write, or more room.
    changed: Condvar,
}

/// The session's way to the output.
pub(crate) struct Client(pub(crate) Arc<Output>);

/// What is on its way; who holds it may write.
#[derive(Default)]
struct Pipe {
    /// Each with how much of it is sent already.
    unsent: VecDeque<(Vec<u8>, usize)>,
    /// Bytes in `unsent` and in the writer's hands.
    unsent_bytes: usize,
    /// An empty buffer that has its memory already.
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

    /// Whether the reader's batch is to be sent before it is added to.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Sends what `take` gives. It is taken once the pipe is locked, so that batches keep their
    /// order.
    fn flush(self: &Arc<Self>, take: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        let sent = {
            let mut pipe = self.pipe();
            // Before they are taken, so that what is said meanwhile is not overlooked.
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

    /// Sends `bytes`, behind what is unsent.
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

    /// Ends a server whose client takes no more. The pipe is not locked.
    fn check(&self, sent: Result<(), Errno>) {
        if let Err(error) = sent {
            // First, as a layer of `tracing` may panic.
            self.ended.notify_one();
            tracing::debug!(%error, "the client takes no more answers");
        }
    }

    /// Waits until the client is not behind; says whether it still takes anything.
    pub(crate) fn wait_for_room(&self) -> bool {
        let waits =
            |pipe: &mut Pipe| pipe.unsent_bytes > self.max_unsent && !pipe.broken && !pipe.closed;
        let pipe = self.changed.wait_while(self.pipe(), waits);
        !pipe.unwrap_or_else(PoisonError::into_inner).broken
    }

    /// Waits until all is sent, but not for longer than `limit`. The writer ends when it has sent
    /// what there is.
    pub(crate) fn close(&self, limit: Duration) {
        let pipe = self.pipe();
        let (mut pipe, _) = self
            .changed
            .wait_timeout_while(pipe, limit, |pipe| pipe.unsent_bytes > 0 && !pipe.broken)
            .unwrap_or_else(PoisonError::into_inner);
        pipe.closed = true;
        self.changed.notify_all();
    }

    /// The writer's thread.
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

    /// Nothing is sent any more.
    fn fail<T>(&mut self, error: Errno) -> Result<T, Errno> {
        self.broken = true;
        self.unsent.clear();
        self.unsent_bytes = 0;
        Err(error)
    }
}

/// Writes what there is room for, without waiting.
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
            // A file or terminal knows no such writing: the writer's thread does it.
            Err(Errno::AGAIN | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

/// Elsewhere the writer's thread does it all.
#[cfg(not(target_os = "linux"))]
fn write_now(_: BorrowedFd<'_>, _: &[u8]) -> Result<usize, Errno> {
    Ok(0)
}

/// Writes something to a descriptor that is ready for it, and waits as little as the system lets
/// it.
pub(crate) fn write_some(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    match write_now(fd, bytes)? {
        // A pipe that is ready has room for this much.
        0 => retry_on_intr(|| rustix::io::write(fd, &bytes[..bytes.len().min(512)])),
        written => Ok(written),
    }
}

/// Writes everything, however long that takes.
fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match retry_on_intr(|| rustix::io::write(fd, bytes)) {
            Ok(length) => bytes = &bytes[length..],
            // Somebody has made the pipe non-blocking, which its other owners share.
            Err(Errno::AGAIN) => {
                let mut fds = [PollFd::new(&fd, PollFlags::OUT)];
                retry_on_intr(|| poll(&mut fds, None))?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
