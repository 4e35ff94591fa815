//! Lines that somebody types.

use std::io::{self, BufRead, Read};
use std::sync::mpsc;
use std::thread;

use rustix::termios::{QueueSelector, tcflush};
use tokio::sync::oneshot;

/// The most bytes of a line that are kept.
const LONGEST: u64 = 64 * 1024;

/// Reads the next line.
type Input = Box<dyn FnMut() -> Option<String> + Send>;

/// An input that a thread reads, a line at a time and only when one is asked for. The thread ends
/// when the keyboard is dropped, or once the line that it reads then has come.
pub(super) struct Keyboard {
    is_stdin: bool,
    wanted: Result<mpsc::Sender<oneshot::Sender<Option<String>>>, Option<Input>>,
}

impl Keyboard {
    pub(super) fn new(mut input: impl BufRead + Send + 'static) -> Self {
        Self::reading(move || read(&mut input))
    }

    /// Standard input. What is read ahead stays where the rest of the program finds it.
    pub(super) fn stdin() -> Self {
        Self { is_stdin: true, ..Self::reading(|| read(&mut io::stdin().lock())) }
    }

    fn reading(input: impl FnMut() -> Option<String> + Send + 'static) -> Self {
        Self { is_stdin: false, wanted: Err(Some(Box::new(input))) }
    }

    /// Drops what was typed at the terminal of standard input and not read. One read takes no more
    /// than a line of it, so that nothing else waits.
    pub(super) fn forget(&self) {
        if self.is_stdin {
            // It may be no terminal.
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        }
    }

    /// The next line, or `None` at the end of the input. If the receiver is dropped before, the
    /// line is lost: it was meant for something else.
    pub(super) fn line(&mut self) -> oneshot::Receiver<Option<String>> {
        let (line, typed) = oneshot::channel();
        if let Err(input) = &mut self.wanted {
            let Some(input) = input.take() else { return typed };
            let (sender, wanted) = mpsc::channel();
            let reading = move || answer(input, wanted);
            if thread::Builder::new().name("toolwright-view".into()).spawn(reading).is_ok() {
                self.wanted = Ok(sender);
            }
        }
        if let Ok(wanted) = &self.wanted {
            // Without the thread the receiver gets an error.
            let _ = wanted.send(line);
        }
        typed
    }
}

fn answer(mut input: Input, wanted: mpsc::Receiver<oneshot::Sender<Option<String>>>) {
    while let Ok(line) = wanted.recv() {
        let _ = line.send(input());
    }
}

fn read(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
    // The rest of a line that is too long is no answer to the next question.
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        let _ = input.skip_until(b'\n');
    }
    read.is_ok_and(|count| count > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;
