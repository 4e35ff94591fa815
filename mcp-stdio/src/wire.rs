//! The descriptor guard: while a server serves, descriptors 0 and 1 belong to the protocol alone, under other numbers.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{Mode, OFlags};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio;

use crate::ServeError;
use crate::stray::Drain;

/// The two ends of the protocol, close-on-exec, so that no child process has them.
pub(crate) struct Wire {
    pub(crate) input: OwnedFd,
    pub(crate) output: OwnedFd,
}

/// Gives the program its descriptors back.
pub(crate) struct Guard {
    saved: Option<[OwnedFd; 3]>,
    drain: Option<Drain>,
}

static SERVING: AtomicBool = AtomicBool::new(false);

/// Takes the wire. Then 0 is the null device, and what is written to 1 and 2 comes out of the real standard error.
pub(crate) fn take() -> Result<(Wire, Guard), ServeError> {
    if SERVING.swap(true, Ordering::AcqRel) {
        return Err(ServeError::AlreadyServing);
    }
    // From here on dropping the guard undoes what was done.
    let mut guard = Guard { saved: None, drain: None };
    let private = |fd: std::os::fd::BorrowedFd<'_>| fcntl_dupfd_cloexec(fd, 3);
    let wire = Wire { input: private(stdio::stdin())?, output: private(stdio::stdout())? };
    let (stray, sink) = pipe_with(PipeFlags::CLOEXEC)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    guard.drain = Some(Drain::start(stray, private(stdio::stderr())?)?);
    guard.saved = Some([private(stdio::stdin())?, private(stdio::stdout())?, private(stdio::stderr())?]);
    stdio::dup2_stdin(null.as_fd())?;
    stdio::dup2_stdout(sink.as_fd())?;
    stdio::dup2_stderr(sink.as_fd())?;
    Ok((wire, guard))
}

impl Guard {
    /// What was printed until now still comes out first.
    pub(crate) fn restore(self) {}
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some([input, output, error]) = self.saved.take() {
            // None of these can fail with descriptors that are open, and there is nobody to tell.
            let _ = stdio::dup2_stdin(input);
            let _ = stdio::dup2_stdout(output);
            let _ = stdio::dup2_stderr(error);
        }
        if let Some(drain) = self.drain.take() {
            drain.finish();
        }
        SERVING.store(false, Ordering::Release);
    }
}
