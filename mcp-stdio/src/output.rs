//! Answers on their way to the client: written at once as far as there is room, and by a thread of
//! their own beyond that, so that neither the reader nor a tool ever waits for a client that does
//! not read.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, retry_on_intr};

/// A buffer above this is not kept for the next batch.
const KEEP: usize = 16 * 1024 * 1024;

/// The way out.
pub(crate) struct Output {
    wire: OwnedFd,
    pipe: Mutex<Pipe>,
    /// Signals every change that somebody may wait for: more to write, or more room.
    changed: Condvar,
}

/// What is on its way; who holds it may write.
#[derive(Default)]
pub(crate) struct Pipe {
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

impl Output {
    pub(crate) fn new(wire: OwnedFd) -> Self {
        Self { wire, pipe: Mutex::default(), changed: Condvar::new() }
    }

    /// Takes the turn to write: whoever has it decides what comes next.
    pub(crate) fn turn(&self) -> MutexGuard<'_, Pipe> {
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends `bytes`, behind what is unsent. Returns whether the client still takes anything.
    pub(crate) fn send(self: &Arc<Self>, pipe: &mut MutexGuard<'_, Pipe>, bytes: Vec<u8>) -> bool {
        if pipe.broken {
            return false;
        }
        let mut written = 0;
        if pipe.unsent_bytes == 0 {
            written = match write_now(self.wire.as_fd(), &bytes) {
                Ok(written) => written,
                Err(error) => return pipe.fail(error),
            };
        }
        if written == bytes.len() {
            pipe.recycle(bytes);
            return true;
        }
        pipe.unsent_bytes += bytes.len() - written;
        pipe.unsent.push_back((bytes, written));
        if !pipe.has_writer {
            pipe.has_writer = true;
            let output = self.clone();
            if thread::Builder::new()
                .name("toolwright-write".into())
                .spawn(move || output.write())
                .is_err()
            {
                return pipe.fail(Errno::AGAIN);
            }
        }
        self.changed.notify_all();
        true
    }

    /// Whether more than `bytes` are unsent.
    pub(crate) fn has_over(&self, bytes: usize) -> bool {
        self.turn().unsent_bytes > bytes
    }

    /// Waits until at most `bytes` are unsent; says whether the client still takes anything.
    pub(crate) fn wait_for_room(&self, bytes: usize) -> bool {
        let pipe = self.turn();
        let pipe = self
            .changed
            .wait_while(pipe, |pipe| pipe.unsent_bytes > bytes && !pipe.broken && !pipe.closed);
        !pipe.unwrap_or_else(PoisonError::into_inner).broken
    }

    /// Waits until all is sent, but not for longer than `limit`. The writer ends when it has sent
    /// what there is.
    pub(crate) fn close(&self, limit: Duration) {
        let pipe = self.turn();
        let (mut pipe, _) = self
            .changed
            .wait_timeout_while(pipe, limit, |pipe| pipe.unsent_bytes > 0 && !pipe.broken)
            .unwrap_or_else(PoisonError::into_inner);
        pipe.closed = true;
        self.changed.notify_all();
    }

    /// The writer's thread.
    fn write(&self) {
        let mut pipe = self.turn();
        loop {
            pipe = self
                .changed
                .wait_while(pipe, |pipe| pipe.unsent.is_empty() && !pipe.closed)
                .unwrap_or_else(PoisonError::into_inner);
            let Some((bytes, sent)) = pipe.unsent.pop_front() else { return };
            drop(pipe);
            let rest = bytes.get(sent..).unwrap_or_default();
            let (length, sent) = (rest.len(), write_all(self.wire.as_fd(), rest));
            pipe = self.turn();
            pipe.unsent_bytes = pipe.unsent_bytes.saturating_sub(length);
            pipe.recycle(bytes);
            if let Err(error) = sent {
                pipe.fail(error);
            }
            self.changed.notify_all();
        }
    }
}

impl Pipe {
    /// An empty buffer for the next batch.
    pub(crate) fn spare(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.spare)
    }

    fn recycle(&mut self, mut bytes: Vec<u8>) {
        if bytes.capacity() > self.spare.capacity() && bytes.capacity() <= KEEP {
            bytes.clear();
            self.spare = bytes;
        }
    }

    fn fail(&mut self, error: Errno) -> bool {
        tracing::debug!(%error, "the client takes no more answers");
        self.broken = true;
        self.unsent.clear();
        self.unsent_bytes = 0;
        false
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
