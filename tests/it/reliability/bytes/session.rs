use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::case::{Case, How};
use super::lines::{call, hello};
use super::words::{Said, words};

/// A server on pipes.
pub(crate) struct Session {
    /// `None` once the server has stopped reading.
    input: Option<ChildStdin>,
    messages: Receiver<Said>,
    /// Nothing is read while it is held, besides what is read already.
    reading: Arc<Mutex<()>>,
}

/// How long is waited.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    /// For the answer to the request that follows a case.
    pub(crate) next: Duration,
    /// Behind that for what is missing to a right answer.
    pub(crate) missing: Duration,
    /// For what would be too much.
    pub(crate) more: Duration,
}

/// What became of the request that followed a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Answered,
    Unanswered,
    /// The server has closed its output.
    Closed,
}

impl Session {
    /// Takes the pipes of a server that is to be given a case.
    pub(crate) fn of(server: &mut Child, how: How) -> io::Result<Self> {
        let none = || io::Error::other("the server has no pipes");
        let input = Some(server.stdin.take().ok_or_else(none)?);
        let output = BufReader::new(server.stdout.take().ok_or_else(none)?);
        let (heard, messages) = channel();
        let reading = Arc::new(Mutex::new(()));
        let session = Self { input, messages, reading: Arc::clone(&reading) };
        if matches!(how, How::Unheard) {
            return Ok(session);
        }
        thread::spawn(move || {
            for line in output.split(b'\n').map_while(Result::ok) {
                drop(reading.lock());
                if heard.send(Said::of(&line)).is_err() {
                    break;
                }
            }
        });
        Ok(session)
    }

    /// Shakes hands; false if the server does not.
    pub(crate) fn begin(&mut self, version: &str, patience: Duration) -> bool {
        let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let lines = format!("{}\n{ready}\n", hello("\"hello\"", version));
        let is_sent = self.input.as_mut().map(|input| input.write_all(lines.as_bytes()));
        let answer = self.messages.recv_timeout(patience).ok();
        is_sent.is_some_and(|sent| sent.is_ok())
            && answer.is_some_and(|said| said.answers("\"hello\"") && said.is_result())
    }

    /// Sends a case and a request behind it, and gives what is said to the case.
    pub(crate) fn ask(&mut self, case: &Case, patience: Patience) -> (Vec<Said>, Next) {
        let has_begun = case.how.version().is_some();
        let next = match has_begun {
            true => call("\"next\"", "add", r#"{"a":20,"b":22}"#),
            false => r#"{"jsonrpc":"2.0","id":"next","method":"ping"}"#.to_owned(),
        };
        let bytes = [&case.bytes, &b"\n"[..], next.as_bytes(), b"\n"].concat();
        let Some(mut input) = self.input.take() else { return (Vec::new(), Next::Closed) };
        let (how, reading) = (case.how, Arc::clone(&self.reading));
        // In a thread, as the server may not read.
        let writing = thread::spawn(move || {
            let _unread = matches!(how, How::WrittenFirst).then(|| reading.lock());
            write(&mut input, &bytes, how).is_ok().then_some(input)
        });
        let (mut said, mut is_answered) = (Vec::new(), false);
        let (mut since, mut limit) = (Instant::now(), patience.next);
        loop {
            // What has as many answers as requests and is wrong does not become right.
            let is_all = said.len() >= case.ids.len().max(1);
            if is_answered && (is_all || case.is_right(&words(&said, &case.ids))) {
                (since, limit) = (Instant::now(), patience.more);
            }
            match self.messages.recv_timeout(limit.saturating_sub(since.elapsed())) {
                Ok(message) if message.answers("\"next\"") => {
                    // Without a handshake it may be refused.
                    is_answered = !has_begun || message.begins_with("42");
                    (since, limit) = (Instant::now(), patience.missing);
                }
                Ok(message) if message.is_unasked() => {}
                Ok(message) => said.push(message),
                Err(RecvTimeoutError::Timeout) if is_answered => break,
                Err(RecvTimeoutError::Timeout) => return (said, Next::Unanswered),
                Err(RecvTimeoutError::Disconnected) => return (said, Next::Closed),
            }
        }
        self.input = writing.join().ok().flatten();
        (said, Next::Answered)
    }

    /// Makes the server end as the case has it, or by the end of input behind these bytes.
    pub(crate) fn end(&mut self, how: How, bytes: &[u8], server: &Child) {
        // It may end before it has read everything.
        let _ = self.input.as_mut().map(|input| input.write_all(bytes));
        match how {
            How::Unheard => {}
            How::Sigterm => drop(kill_process(Pid::from_child(server), Signal::TERM)),
            _ => self.input = None,
        }
    }

    /// What is still said until a server has ended.
    pub(crate) fn rest(self) -> Vec<Said> {
        self.messages.iter().collect()
    }
}

fn write(input: &mut ChildStdin, bytes: &[u8], how: How) -> io::Result<()> {
    if !matches!(how, How::Bytewise) {
        return input.write_all(bytes);
    }
    bytes.iter().try_for_each(|byte| {
        // So that most of them are read alone.
        thread::sleep(Duration::from_millis(1));
        input.write_all(&[*byte])
    })
}
