//! What must not outlive this program: the watcher process knows of it while a [`Watched`] exists.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use rustix::process::Pid;

use super::shell::SHELL;
use super::watcher;

/// The time of each step of closing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Graces {
    pub(super) end: Duration,
    pub(super) terminate: Duration,
}

/// Something that ends with this program, however that ends. Dropping it is the end of that: from
/// then on the process id may belong to another process.
#[derive(Debug)]
#[must_use = "it is watched until this is dropped"]
pub(crate) struct Watched {
    entry: String,
}

impl Watched {
    /// A folder, which need not exist yet and is deleted with all that is in it. Its name begins
    /// with `toolwright-agent-`.
    ///
    /// # Errors
    ///
    /// The watcher cannot be started.
    pub(crate) fn folder(path: &Path) -> io::Result<Self> {
        let entry = path.as_os_str().as_bytes().iter().map(|byte| encoded(*byte)).collect();
        let name = |error: io::Error| {
            io::Error::new(error.kind(), format!("{SHELL} cannot be started: {error}"))
        };
        Self::new(entry).map_err(name)
    }

    /// A process group.
    pub(super) fn group(group: Pid, graces: Graces) -> io::Result<Self> {
        Self::target(-group.as_raw_nonzero().get(), graces)
    }

    /// A single process.
    pub(super) fn process(process: Pid, graces: Graces) -> io::Result<Self> {
        Self::target(process.as_raw_nonzero().get(), graces)
    }

    fn target(target: i32, Graces { end, terminate }: Graces) -> io::Result<Self> {
        Self::new(format!("{target}:{}:{}", tenths(end), tenths(terminate)))
    }

    fn new(entry: String) -> io::Result<Self> {
        watcher::add(&entry)?;
        Ok(Self { entry })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        watcher::remove(&self.entry);
    }
}

/// A grace in tenths of a second, at most some years, so that shells can add two.
fn tenths(grace: Duration) -> u32 {
    u32::try_from(grace.as_millis().div_ceil(100)).unwrap_or(u32::MAX).min(1_000_000_000)
}

/// A byte of a path so that neither the shell nor its pattern matching sees anything special.
fn encoded(byte: u8) -> String {
    match byte {
        b'/' | b'.' | b'-' | b'_' => char::from(byte).into(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).into(),
        _ => format!("\\0{byte:03o}"),
    }
}
