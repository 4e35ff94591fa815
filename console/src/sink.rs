//! A descriptor that is written to without waiting.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{Errno, retry_on_intr};

/// The destination of bytes.
#[derive(Debug)]
pub struct Sink {
    fd: OwnedFd,
    /// A plain `write` does not wait.
    is_nonblocking: bool,
}

impl Sink {
    /// A pipe is opened again: its own open file description can be non-blocking, while the given
    /// one is shared with other processes, which may rely on waiting.
    pub fn of(fd: OwnedFd) -> Self {
        match reopened(&fd) {
            Some(own) => Self { fd: own, is_nonblocking: true },
            None => Self { fd, is_nonblocking: false },
        }
    }

    /// Writes as much as there is room for, without waiting.
    ///
    /// # Errors
    ///
    /// The reader has gone, or writing has failed for another reason than that it would wait.
    pub fn write_now(&self, bytes: &[u8]) -> Result<usize, Errno> {
        let mut written = 0;
        while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
            let write = || match self.is_nonblocking {
                true => rustix::io::write(&self.fd, rest),
                false => write_nowait(self.fd.as_fd(), rest),
            };
            match retry_on_intr(write) {
                Ok(0) => break,
                Ok(length) => written += length,
                // Files and terminals cannot be written to without waiting, so another thread does.
                Err(Errno::AGAIN | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => break,
                // The next write gets the error again; what is written must not be written twice.
                Err(_) if written > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(written)
    }

    /// Writes some bytes to a descriptor that is ready for them, and blocks as little as the system
    /// allows.
    ///
    /// # Errors
    ///
    /// The reader has gone, or writing has failed.
    pub fn write_some(&self, bytes: &[u8]) -> Result<usize, Errno> {
        match self.write_now(bytes)? {
            // A pipe that is ready has room for this much.
            0 => retry_on_intr(|| rustix::io::write(&self.fd, &bytes[..bytes.len().min(512)])),
            written => Ok(written),
        }
    }
}

impl AsFd for Sink {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// The same pipe, under a non-blocking open file description. `None` for anything but a pipe: a
/// file's new description would have a position of its own.
#[cfg(target_os = "linux")]
fn reopened(fd: &OwnedFd) -> Option<OwnedFd> {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
    if !std::fs::metadata(&path).ok()?.file_type().is_fifo() {
        return None;
    }
    // The same bit as for `open`. The standard library opens close-on-exec.
    let nonblocking = rustix::pipe::PipeFlags::NONBLOCK.bits().cast_signed();
    let pipe = std::fs::File::options().write(true).custom_flags(nonblocking).open(path);
    pipe.ok().map(OwnedFd::from)
}

#[cfg(not(target_os = "linux"))]
fn reopened(_: &OwnedFd) -> Option<OwnedFd> {
    None
}

#[cfg(target_os = "linux")]
fn write_nowait(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    use rustix::io::{ReadWriteFlags, pwritev2};
    // An offset of -1 is the current position, which is all that a pipe or socket has.
    pwritev2(fd, &[std::io::IoSlice::new(bytes)], u64::MAX, ReadWriteFlags::NOWAIT)
}

/// Other systems have no such call: the writer's thread writes everything.
#[cfg(not(target_os = "linux"))]
fn write_nowait(_: BorrowedFd<'_>, _: &[u8]) -> Result<usize, Errno> {
    Err(Errno::NOSYS)
}
