//! The CLI's standard error. A thread always reads it, so that the CLI never waits for a reader.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use memchr::memchr;
use rustix::io::ioctl_fionread;

use crate::panics;

/// Called with each line of standard error, without its line feed.
pub(crate) type Callback = Arc<dyn Fn(&str) + Send + Sync>;

/// The size of the end that is kept.
const KEEP: usize = 64 * 1024;
/// A longer line is passed to the callback in pieces of this size.
const LINE: usize = 64 * 1024;
const PIECE: usize = 16 * 1024;
/// How long a pipe that another process holds open is read after the CLI's end.
const HELD: Duration = Duration::from_millis(200);
/// The maximum time if the pipe still has bytes or the callback is still running.
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
    /// The number of bytes read from the pipe.
    taken: u64,
    /// Whether bytes before `tail` were dropped.
    is_cut: bool,
    callback: Option<Callback>,
    is_calling: bool,
    /// Everything was read.
    is_ended: bool,
    /// Later bytes are ignored.
    is_finished: bool,
}

impl Stderr {
    /// Starts to read. Returns the writing end for the CLI as well.
    pub(super) fn start(callback: Option<Callback>) -> io::Result<(Arc<Self>, PipeWriter)> {
        let (pipe, writer) = io::pipe()?;
        let state = Mutex::new(State { callback, ..State::default() });
        let stderr = Arc::new(Self { pipe, state, ended: Condvar::new() });
        let reading = stderr.clone();
        // The callback is the user's code, so the stack has the usual size. Pages that it does not
        // touch cost nothing.
        thread::Builder::new().name("claude-stderr".into()).spawn(move || reading.read())?;
        Ok((stderr, writer))
    }

    /// Returns the last 64 KiB after the CLI's end, from the beginning of a line. The callback is
    /// not called any more.
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
        // The callback is dropped now: its owner must not wait for a daemon that holds the pipe.
        let callback = state.callback.take();
        state.is_finished = true;
        let end = state.end();
        drop(state);
        panics::discard(callback);
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
            self.call(&line);
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
            self.call(line.strip_suffix(b"\r").unwrap_or(line));
            line.clear();
            bytes = &bytes[length + 1..];
        }
        line.extend_from_slice(bytes);
        if line.len() >= LINE {
            let length = whole(line);
            self.call(&line[..length]);
            line.drain(..length);
        }
        self.state().is_calling = false;
    }

    fn call(&self, line: &[u8]) {
        let Some(callback) = self.state().callback.clone() else { return };
        let line = String::from_utf8_lossy(line);
        if let Err(panic) = panics::catch(|| callback(&line)) {
            panics::trace(|| tracing::error!(panic, "the callback for standard error panicked"));
        }
        // It may be the last, if it has outlasted the CLI.
        panics::discard(callback);
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
            // Such a long line is cut at the border of a character.
            (true, _) => tail.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count(),
        };
        String::from_utf8_lossy(&tail[start..]).into_owned()
    }
}

/// The length of a text without the part of a character at its end.
fn whole(text: &[u8]) -> usize {
    let from = text.len().saturating_sub(3);
    let first = text[from..].iter().rposition(|byte| byte & 0xc0 != 0x80);
    let first = first.map_or(text.len(), |at| from + at);
    match std::str::from_utf8(&text[first..]) {
        Err(error) if error.error_len().is_none() => first,
        _ => text.len(),
    }
}
