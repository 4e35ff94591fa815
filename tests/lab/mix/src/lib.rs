//! The calls of the endurance run, and what must come back: for its driver, and for the client that
//! calls a registry in its own process.
//!
//! The id of a call tells its kind, so an answer is checked without a memory of its request.

mod kind;
mod request;
mod answer;
mod book;

/// How many calls come before those that are sampled. A registry keeps the answers of the last 1,024
/// calls that have asked; memory grows until there are as many.
pub const WARM_UP: u64 = 30_000;

pub use answer::{Verdict, check};
pub use book::{Book, Counts};
pub use kind::{KINDS, Kind, Mix};
pub use request::{Requests, TOOLS};
