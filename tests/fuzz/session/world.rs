//! A minimal host of a session, and its client's side, which checks what the session says.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context as TaskContext, Poll, Waker};

use toolwright::mcp::{Done, Host, Link, Outbox, Run, Session, Speech, Started, Step};

use super::ledger::{Cause, Ledger};
use super::oracle::{Expected, expected};
use super::registry::registry;

/// So many calls wait until the oldest ones time out.
const WAITING: usize = 8;
/// In a line these stand for the id of the newest question, and for the state of the last result
/// that asks: no line can know them before.
const ASKED: &str = "\"@asked\"";
const STATE: &str = "\"@state\"";

pub(super) struct World {
    host: Arc<Shared>,
    running: Vec<Run>,
    ledger: Ledger,
    /// Memory for what the session writes.
    buffer: Vec<u8>,
}

struct Shared(Mutex<(Session, Outbox)>);

impl Shared {
    fn turn<T>(&self, f: impl FnOnce(&mut Session, &mut Outbox) -> T) -> T {
        let (value, after) = {
            let (session, out) = &mut *self.0.lock().unwrap();
            (f(session, out), out.take_after())
        };
        after.run();
        value
    }
}

impl Link for Shared {
    fn speak(&self, speech: Speech<'_>) {
        self.turn(|session, out| session.speak(speech, out));
    }
}

impl World {
    pub(super) fn new() -> Self {
        let host = Arc::new_cyclic(|this: &Weak<Shared>| {
            Shared(Mutex::new((Session::new(registry(), Host::Stdio, this.clone()), Outbox::new())))
        });
        Self { host, running: Vec::new(), ledger: Ledger::new(), buffer: Vec::new() }
    }

    /// How often each code was an answer; 0 stands for results.
    pub(super) fn codes(&self) -> &BTreeMap<i64, u64> {
        self.ledger.codes()
    }

    /// How often the session has asked its client.
    pub(super) fn asked(&self) -> u64 {
        self.ledger.asked()
    }

    /// True if the session waits for an answer.
    pub(super) fn asks(&self) -> bool {
        self.ledger.newest().is_some()
    }

    /// Sends a line, and checks what the session makes of it.
    pub(super) fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let line = self.filled(line);
        let line = &*line;
        let expected = expected(line);
        let answered = match &expected {
            Expected::Reply(id) => self.ledger.take(id),
            _ => None,
        };
        if expected == Expected::Unreadable {
            self.ledger.doubt(line);
        }
        let waited = self.running.len();
        match self.host.turn(|session, out| session.receive(line, out)) {
            Step::Idle => {}
            Step::Call(call) => match call.start() {
                Started::Run(run) => self.poll(run, waited),
                Started::Done(done) => self.finish(done),
                started => return Err(format!("{started:?}")),
            },
            Step::Cancel(call) => self.running.retain(|run| *run.id() != *call),
            step => return Err(format!("{step:?}")),
        }
        if let Expected::Cancel(id) = expected {
            self.ledger.cancel(id);
        }
        match &answered {
            Some(question) => {
                let is_its = |run: &Run| run.id().request_id().to_string() == question.call;
                let at = self.running.iter().position(is_its).ok_or("nobody has asked")?;
                let run = self.running.remove(at);
                self.poll(run, at);
                self.judge(&Cause::Reply(question))?;
            }
            None => {
                let waits = self.running.len() > waited;
                self.judge(&Cause::Line { line, expected: &expected, waits })?;
            }
        }
        if self.running.len() > WAITING {
            let run = self.running.remove(0);
            self.host.turn(|session, out| session.time_out(run.id(), out));
            self.judge(&Cause::TimeOut(&run.id().request_id().to_string()))?;
        }
        Ok(())
    }

    /// Ends the session: every open request is answered.
    pub(super) fn close(&mut self) -> Result<(), String> {
        self.host.turn(Session::close);
        self.judge(&Cause::Close)?;
        self.running.clear();
        match self.ledger.is_settled() && self.host.turn(|session, _| session.running()) == 0 {
            true => Ok(()),
            false => Err("something is open at the end".to_owned()),
        }
    }

    /// The line with what only the client of this session knows.
    fn filled<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let known = [(ASKED, self.ledger.newest()), (STATE, self.ledger.state())];
        let mut line = Cow::Borrowed(line);
        for (name, value) in known {
            let place = |line: &[u8]| {
                line.contains(&b'@')
                    .then(|| line.windows(name.len()).position(|part| part == name.as_bytes()))?
            };
            if let (Some(value), Some(at)) = (value, place(&line)) {
                let text = if name == STATE { format!("\"{value}\"") } else { value.to_owned() };
                line.to_mut().splice(at..at + name.len(), text.into_bytes());
            }
        }
        line
    }

    /// Polls a call, which waits at this place if it is not done.
    fn poll(&mut self, mut run: Run, at: usize) {
        match Pin::new(&mut run).poll(&mut TaskContext::from_waker(Waker::noop())) {
            Poll::Ready(done) => self.finish(done),
            Poll::Pending => self.running.insert(at, run),
        }
    }

    fn finish(&self, done: Done) {
        self.host.turn(|session, out| session.finish(done, out));
    }

    /// Checks what the session has written.
    fn judge(&mut self, cause: &Cause<'_>) -> Result<(), String> {
        let empty = std::mem::take(&mut self.buffer);
        let mut bytes = self.host.turn(|_, out| out.take(empty));
        self.ledger.judge(&bytes, cause)?;
        bytes.clear();
        self.buffer = bytes;
        Ok(())
    }
}
