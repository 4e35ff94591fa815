//! The descriptors of the protocol. From the start of a server, only the protocol uses the
//! descriptors that were 0 and 1, under other numbers.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{fcntl_dupfd_cloexec, retry_on_intr};
use rustix::stdio;

use crate::ServeError;
use crate::stray::Drain;

/// The input and output of the protocol. They are close-on-exec, so that no child process inherits
/// them.
#[derive(Debug)]
pub struct Wire {
    /// What the client writes.
    pub input: OwnedFd,
    /// What the client reads.
    pub output: OwnedFd,
}

/// Redirects the program's output until it is dropped. Afterwards the output goes to standard error
/// or, if that has no room at the drop, to the null device.
///
/// Descriptors 0 and 1 never refer to the protocol again: buffers of C and Rust may hold output
/// that is only written at exit.
#[derive(Debug)]
pub struct Guard {
    stderr: Option<OwnedFd>,
    /// The output that is redirected, and where it goes.
    stray: Option<(OwnedFd, OwnedFd)>,
    drain: Option<Drain>,
}

static TAKEN: AtomicBool = AtomicBool::new(false);

/// Takes over descriptors 0 and 1. Afterwards 0 is the null device, and 1 is standard error.
///
/// # Errors
///
/// They were taken before, or the system cannot copy or redirect them.
pub fn take() -> Result<(Wire, Guard), ServeError> {
    if TAKEN.swap(true, Ordering::AcqRel) {
        return Err(ServeError::AlreadyTaken);
    }
    Ok(redirected()?)
}

fn redirected() -> io::Result<(Wire, Guard)> {
    let mut guard = Guard { stderr: None, stray: None, drain: None };
    let wire = Wire { input: private(stdio::stdin())?, output: private(stdio::stdout())? };
    let null = null()?;
    let stderr = guard.stderr.insert(private(stdio::stderr())?);
    stdio::dup2_stdin(null.as_fd())?;
    stdio::dup2_stdout(stderr)?;
    Ok((wire, guard))
}

impl Guard {
    /// Redirects output to 1 and 2 into a pipe, which has room until [`Guard::drain`] is called.
    ///
    /// # Errors
    ///
    /// The system cannot make or copy the descriptors.
    pub fn redirect(&mut self) -> io::Result<()> {
        let (stray, sink) = io::pipe()?;
        self.stray = Some((stray.into(), private(stdio::stderr())?));
        stdio::dup2_stdout(sink.as_fd())?;
        Ok(stdio::dup2_stderr(sink.as_fd())?)
    }

    /// Starts to copy the redirected output.
    ///
    /// # Errors
    ///
    /// The system has no thread to give.
    pub fn drain(&mut self) -> io::Result<()> {
        if let Some((from, to)) = self.stray.take() {
            self.drain = Some(Drain::start(from, to)?);
        }
        Ok(())
    }
}

impl Drop for Guard {
    /// Output from before the drop is still written first.
    fn drop(&mut self) {
        let Some(stderr) = self.stderr.take() else { return };
        // Neither call fails with open descriptors, and there is no place to report an error.
        let redirect = |to: BorrowedFd<'_>| {
            let _ = stdio::dup2_stdout(to);
            let _ = stdio::dup2_stderr(to);
        };
        redirect(stderr.as_fd());
        if let Some(drain) = self.drain.take() {
            drain.finish();
        }
        // What buffers still hold is written as the program exits, which must wait for no reader.
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut fds = [PollFd::new(&stderr, PollFlags::OUT)];
        if let (Ok(0), Ok(null)) = (retry_on_intr(|| poll(&mut fds, Some(&now))), null()) {
            redirect(null.as_fd());
        }
    }
}

fn private(fd: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(fd, 3)?)
}

fn null() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/null")
}
