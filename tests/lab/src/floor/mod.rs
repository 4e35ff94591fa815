//! The four tools behind a blocking loop, by hand and with serde alone: what a server costs that
//! has no library.
//!
//! It is written as a good engineer writes such a loop in an afternoon. It borrows what can be
//! borrowed, decodes each request once, and answers everything that one read brought with one
//! write. The README lists what it leaves out.

use std::io::{self, ErrorKind};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::inbox::Inbox;
use crate::stdio::{Input, write_all};

pub mod tools;
pub mod wire;

mod answer;
mod shared;

#[cfg(test)]
mod tests;

use answer::answer;
pub use shared::serve as serve_shared;

/// Serves until the input ends and every sleep is answered.
pub fn serve() -> io::Result<()> {
    // A sleep is answered by a thread of its own, so two threads may have something to write.
    let output = Mutex::new(());
    let send = |bytes: &[u8]| {
        let _turn = output.lock().unwrap_or_else(PoisonError::into_inner);
        write_all(bytes)
    };
    thread::scope(|scope| {
        let mut inbox = Inbox::new();
        let mut answers = Vec::new();
        loop {
            match inbox.fill(&mut Input) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(error),
            }
            while let Some(line) = inbox.line() {
                if let Some(sleep) = answer(line, &mut answers) {
                    scope.spawn(move || send(&sleep.answered()));
                }
            }
            if !answers.is_empty() {
                send(&answers)?;
                answers.clear();
            }
        }
    })
}
