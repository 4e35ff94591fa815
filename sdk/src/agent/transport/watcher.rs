//! One small process for this whole program that ends what must not outlive the program. Only
//! another process can do that: nothing of a program that gets SIGKILL runs any more.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::{self, Child, ChildStdin};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::ioctl_fionbio;

use super::shell;

/// What the process does. It needs nothing that is not on every Unix, and no second program of
/// ours.
pub(super) const SCRIPT: &str = concat!(include_str!("kill.sh"), include_str!("watcher.sh"));

static WATCHER: Mutex<Watcher> = Mutex::new(Watcher { entries: BTreeSet::new(), running: None });

/// The entries, and the process that knows them. It runs while there are entries.
struct Watcher {
    entries: BTreeSet<String>,
    running: Option<Running>,
}

struct Running {
    process: Child,
    /// Its end tells the process that this program has ended.
    input: ChildStdin,
    /// The id of the program that started it.
    owner: u32,
}

/// Adds an entry, which is watched when this returns.
///
/// # Errors
///
/// The process cannot be started.
pub(super) fn add(entry: &str) -> io::Result<()> {
    let mut watcher = lock();
    watcher.leave_the_parents();
    watcher.entries.insert(entry.to_owned());
    let told = watcher.tell('+', entry);
    if told.is_err() {
        watcher.entries.remove(entry);
    }
    told
}

/// Removes an entry.
pub(super) fn remove(entry: &str) {
    let told = {
        let mut watcher = lock();
        watcher.leave_the_parents();
        watcher.entries.remove(entry);
        if watcher.entries.is_empty() {
            watcher.running = None;
            return;
        }
        watcher.tell('-', entry)
    };
    if let Err(error) = told {
        tracing::warn!(%error, "until the next run begins, nothing watches the end of this program");
    }
}

fn lock() -> MutexGuard<'static, Watcher> {
    WATCHER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watcher {
    /// Forgets what belongs to the program of which this one is a copy that `fork` has made.
    fn leave_the_parents(&mut self) {
        if self.running.take_if(|running| running.owner != process::id()).is_some() {
            self.entries.clear();
        }
    }

    /// Tells the process of a change. One that has died or is stopped is replaced.
    fn tell(&mut self, change: char, entry: &str) -> io::Result<()> {
        let line = format!("{change}{entry}\n");
        if self.running.as_mut().is_some_and(|running| running.takes(&line)) {
            return Ok(());
        }
        self.running = None;
        self.running = Some(Running::start(&self.entries)?);
        Ok(())
    }
}

impl Running {
    fn start(entries: &BTreeSet<String>) -> io::Result<Self> {
        let mut process = shell::start(SCRIPT, "toolwright-watcher")?;
        let missing = || io::Error::other("the watcher has no pipe");
        let input = process.stdin.take().ok_or_else(missing)?;
        let mut running = Self { process, input, owner: process::id() };
        let lines = entries.iter().map(|entry| format!("+{entry}\n")).collect::<String>();
        running.input.write_all(lines.as_bytes())?;
        // From here on no write waits, even if somebody has stopped the process.
        ioctl_fionbio(&running.input, true)?;
        Ok(running)
    }

    fn takes(&mut self, line: &str) -> bool {
        self.is_alive() && self.input.write(line.as_bytes()).is_ok_and(|n| n == line.len())
    }

    fn is_alive(&mut self) -> bool {
        self.owner == process::id() && matches!(self.process.try_wait(), Ok(None))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Before its input ends, as it would take that for the end of this program.
        if self.is_alive() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
