//! The same loop with what it takes that a tool which blocks delays no other request, and that a
//! client can cancel a call.
//!
//! Another thread must be able to read on. So a line has memory of its own, and the input, the
//! calls in flight and the answers have locks, none of which is held while a tool runs.

use std::io;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer::{Ran, answer, request, run};
use super::wire::Params;
use crate::inbox::Inbox;
use crate::stdio::{Input, write_all};

#[cfg(test)]
mod tests;

/// A tool has blocked after one to two of these times.
const PATIENCE: Duration = Duration::from_millis(3);

/// Serves until the input ends and every call is answered.
pub fn serve() -> io::Result<()> {
    let server = Server::new();
    thread::scope(|scope| {
        let server = &server;
        scope.spawn(move || server.read(scope, 0));
        let mut seen = 0;
        while !server.is_ended.load(Ordering::Relaxed) {
            thread::sleep(PATIENCE);
            let running = server.running.load(Ordering::Relaxed);
            if running == seen && running != 0 && server.takes(running) {
                scope.spawn(move || server.read(scope, running));
            }
            seen = running;
        }
    });
    Ok(())
}

struct Server {
    input: Mutex<Inbox>,
    session: Mutex<Session>,
    /// Held while answers are written.
    output: Mutex<()>,
    /// The number of the call that keeps the reading thread busy, or 0.
    running: AtomicU64,
    is_ended: AtomicBool,
}

#[derive(Default)]
struct Session {
    /// A call that is no longer here when it ends is not answered.
    in_flight: Vec<Box<RawValue>>,
    answers: Vec<u8>,
}

#[derive(Deserialize)]
struct Cancelled<'a> {
    #[serde(borrow)]
    params: Cancel<'a>,
}

#[derive(Deserialize)]
struct Cancel<'a> {
    #[serde(borrow, rename = "requestId")]
    id: &'a RawValue,
}

impl Server {
    fn new() -> Self {
        Self {
            input: Mutex::new(Inbox::new()),
            session: Mutex::default(),
            output: Mutex::new(()),
            running: AtomicU64::new(0),
            is_ended: AtomicBool::new(false),
        }
    }

    /// Reads until the input ends or another thread has taken over. The last call had this number.
    fn read<'s>(&'s self, scope: &'s Scope<'s, '_>, mut number: u64) {
        loop {
            let mut input = lock(&self.input);
            if let Some(line) = input.line() {
                let line = line.to_owned();
                drop(input);
                number += 1;
                self.running.store(number, Ordering::Relaxed);
                self.receive(scope, &line);
                if !self.takes(number) {
                    // The other thread may be waiting for its next line.
                    return self.send();
                }
            } else {
                self.send();
                if input.fill(&mut Input).is_err() {
                    return self.is_ended.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    /// Whether this thread reads on after the call with this number, and no other one.
    fn takes(&self, number: u64) -> bool {
        self.running.compare_exchange(number, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn receive<'s>(&'s self, scope: &'s Scope<'s, '_>, line: &[u8]) {
        match request(line) {
            Some(request) if request.method == "notifications/cancelled" => {
                if let Ok(Cancelled { params }) = serde_json::from_slice(line) {
                    lock(&self.session).ends(params.id);
                }
            }
            Some(request) if request.method == "tools/call" => {
                if let Some(id) = request.id {
                    self.call(scope, id, &request.params);
                }
            }
            _ => drop(answer(line, &mut lock(&self.session).answers)),
        }
    }

    fn call<'s>(&'s self, scope: &'s Scope<'s, '_>, id: &RawValue, params: &Params) {
        lock(&self.session).in_flight.push(id.to_owned());
        match run(params) {
            Ran::Later(time) => {
                let id = id.to_owned();
                scope.spawn(move || {
                    thread::sleep(time);
                    self.end(&id, &Ran::slept());
                    self.send();
                });
            }
            ran => self.end(id, &ran),
        }
    }

    fn end(&self, id: &RawValue, ran: &Ran) {
        let mut session = lock(&self.session);
        if session.ends(id) {
            ran.write(id, &mut session.answers);
        }
    }

    /// Writes all answers. A client that is gone ends the input too.
    fn send(&self) {
        let _turn = lock(&self.output);
        let mut answers = mem::take(&mut lock(&self.session).answers);
        if !answers.is_empty() {
            let _ = write_all(&answers);
            answers.clear();
            let mut session = lock(&self.session);
            if session.answers.is_empty() {
                session.answers = answers;
            }
        }
    }
}

impl Session {
    /// Whether the call was in flight.
    fn ends(&mut self, id: &RawValue) -> bool {
        let place = self.in_flight.iter().position(|other| other.get() == id.get());
        place.map(|place| self.in_flight.swap_remove(place)).is_some()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
