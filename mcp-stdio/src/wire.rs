//! The descriptor guard: while a server serves, descriptors 0 and 1 belong to the protocol alone,
//! under other numbers.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{Mode, OFlags};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio;

use crate::ServeError;
use crate::stray::Drain;

/// The two ends of the protocol, close-on-exec, so that no child process has them.
pub(crate) struct Wire {
    pub(crate) input: OwnedFd,
    pub(crate) output: OwnedFd,
}

/// Ends the rerouting of what the program prints.
///
/// Descriptors 0 and 1 stay away from the wire for good: C's and Rust's own buffers may hold output
/// that only comes out at the exit.
pub(crate) struct Guard {
    stderr: Option<OwnedFd>,
    drain: Option<Drain>,
}

static TAKEN: AtomicBool = AtomicBool::new(false);

/// Takes the wire. Then 0 is the null device, and what is written to 1 and 2 comes out of the real
/// standard error.
pub(crate) fn take() -> Result<(Wire, Guard), ServeError> {
    if TAKEN.swap(true, Ordering::AcqRel) {
        return Err(ServeError::AlreadyTaken);
    }
    let mut guard = Guard { stderr: None, drain: None };
    let private = |fd: std::os::fd::BorrowedFd<'_>| fcntl_dupfd_cloexec(fd, 3);
    let wire = Wire { input: private(stdio::stdin())?, output: private(stdio::stdout())? };
    let (stray, sink) = std::io::pipe()?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    guard.drain = Some(Drain::start(stray.into(), private(stdio::stderr())?)?);
    guard.stderr = Some(private(stdio::stderr())?);
    stdio::dup2_stdin(null.as_fd())?;
    stdio::dup2_stdout(sink.as_fd())?;
    stdio::dup2_stderr(sink.as_fd())?;
    Ok((wire, guard))
}

impl Drop for Guard {
    /// What was printed until now still comes out first.
    fn drop(&mut self) {
        if let Some(stderr) = self.stderr.take() {
            // Neither can fail with descriptors that are open, and there is nobody to tell.
            let _ = stdio::dup2_stdout(&stderr);
            let _ = stdio::dup2_stderr(&stderr);
        }
        if let Some(drain) = self.drain.take() {
            drain.finish();
        }
    }
}
