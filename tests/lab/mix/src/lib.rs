//! The calls of the endurance run, and what must come back: for its driver, and for the client that
//! calls a registry in its own process.
//!
//! The id of a call tells its kind, so an answer is checked without a memory of its request.

mod kind;
mod request;
mod answer;
mod book;

pub use answer::{Verdict, check};
pub use book::{Book, Counts};
pub use kind::{KINDS, Kind, Mix};
pub use request::{Requests, TOOLS};

/// At least so many calls come before those that are judged: a registry keeps the answers of the
/// last 1,024 calls that have asked, and memory grows until there are as many.
const WARM_UP: u64 = 30_000;

/// The numbers of the deciles of `calls` calls, and how many each has. The first ones, which warm
/// up and come besides, have the number 0: the heap takes hundreds of thousands of calls to settle.
pub fn deciles(calls: u64) -> impl Iterator<Item = (u64, u64)> {
    let tenth = calls / 10;
    (0..=10).map(move |number| (number, if number == 0 { tenth.max(WARM_UP) } else { tenth }))
}
