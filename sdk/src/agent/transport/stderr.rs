//! What the CLI writes to standard error. A thread reads it whatever else happens, so that the CLI
//! never waits for somebody to do so.

use std::fmt;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use memchr::memchr;
use rustix::io::ioctl_fionread;

/// Gets the lines of standard error, without their line feeds.
pub(super) type Callback = Arc<dyn Fn(&str) + Send + Sync>;

/// How much of the end is kept.
const KEEP: usize = 64 * 1024;
/// A line that is longer goes to the callback in pieces of this size.
const LINE: usize = 64 * 1024;
const PIECE: usize = 16 * 1024;
/// How long a pipe that somebody else holds open is read after the CLI's end.
const HELD: Duration = Duration::from_millis(200);
/// How long at most when there is more in it or the callback is still busy.
const BUSY: Duration = Duration::from_secs(2);

/// The reading end of the CLI's standard error.
pub(super) struct Stderr {
    pipe: PipeReader,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    tail: Vec<u8>,
    /// How much was taken out of the pipe.
    taken: u64,
    /// Something before `tail` was thrown away.
    is_cut: bool,
    callback: Option<Callback>,
    is_calling: bool,
    /// All of it was read.
    is_ended: bool,
    /// What still comes interests nobody.
    is_finished: bool,
}

impl Stderr {
    /// Starts to read. What is returned beside is the end that the CLI writes to.
    pub(super) fn start(callback: Option<Callback>) -> io::Result<(Arc<Self>, PipeWriter)> {
        let (pipe, writer) = io::pipe()?;
        let state = Mutex::new(State { callback, ..State::default() });
        let stderr = Arc::new(Self { pipe, state, ended: Condvar::new() });
        let reading = stderr.clone();
        // The stack has the usual size because the callback is the user's; what it does not touch
        // costs nothing.
        thread::Builder::new().name("claude-stderr".into()).spawn(move || reading.read())?;
        Ok((stderr, writer))
    }

    /// Takes what there is after the CLI's end: its last 64 KiB, from the beginning of a line on.
    /// The callback is not called any more.
    pub(super) fn finish(&self) -> String {
        let since = Instant::now();
        let mut state = self.state();
        loop {
            let taken = state.taken;
            state = self
                .ended
                .wait_timeout_while(state, HELD, |state| !state.is_ended)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
            let is_idle = state.taken == taken
                && !state.is_calling
                && ioctl_fionread(&self.pipe).unwrap_or(0) == 0;
            if state.is_ended || is_idle || since.elapsed() >= BUSY {
                break;
            }
        }
        // Who waits for the callback to be dropped must not wait for a daemon that has the pipe.
        let callback = state.callback.take();
        state.is_finished = true;
        let end = state.end();
        drop(state);
        drop(callback);
        end
    }

    fn read(&self) {
        let mut piece = vec![0; PIECE];
        let mut line = Vec::new();
        loop {
            match (&self.pipe).read(&mut piece) {
                Ok(0) => break,
                Ok(length) => self.take(&piece[..length], &mut line),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        if !line.is_empty() {
            self.state().is_calling = true;
            self.say(&line);
        }
        self.state().is_ended = true;
        self.ended.notify_all();
    }

    fn take(&self, mut bytes: &[u8], line: &mut Vec<u8>) {
        {
            let mut state = self.state();
            state.keep(bytes);
            state.is_calling = state.callback.is_some();
            if !state.is_calling {
                return;
            }
        }
        while let Some(length) = memchr(b'\n', bytes) {
            line.extend_from_slice(&bytes[..length]);
            self.say(line.strip_suffix(b"\r").unwrap_or(line));
            line.clear();
            bytes = &bytes[length + 1..];
        }
        line.extend_from_slice(bytes);
        if line.len() >= LINE {
            self.say(line);
            line.clear();
        }
        self.state().is_calling = false;
    }

    fn say(&self, line: &[u8]) {
        let Some(callback) = self.state().callback.clone() else { return };
        let line = String::from_utf8_lossy(line);
        if catch_unwind(AssertUnwindSafe(|| callback(&line))).is_err() {
            tracing::error!("the callback for standard error panicked");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn keep(&mut self, bytes: &[u8]) {
        self.taken += bytes.len() as u64;
        if self.is_finished {
            return;
        }
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 2 * KEEP {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let excess = self.tail.len().saturating_sub(KEEP);
        self.is_cut |= excess > 0;
        self.tail.drain(..excess);
    }

    fn end(&mut self) -> String {
        self.cut();
        let tail = mem::take(&mut self.tail);
        let start = match (self.is_cut, memchr(b'\n', &tail)) {
            (false, _) => 0,
            (true, Some(first)) if first + 1 < tail.len() => first + 1,
            // A line that long has no better border than that of a character.
            (true, _) => tail.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count(),
        };
        String::from_utf8_lossy(&tail[start..]).into_owned()
    }
}

impl fmt::Debug for Stderr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stderr").finish_non_exhaustive()
    }
}
