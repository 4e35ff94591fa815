//! Sessions of many users, run by any number of workers.
//!
//! `submit` puts prompts on a queue; each `worker` takes one, runs its turn, and publishes the
//! messages. What must outlive a worker is in the queue and in PostgreSQL:
//!
//! - A prompt stays in the queue until its turn is recorded. The queue gives the prompt of a worker
//!   that has died to another.
//! - A session is worked on by the worker that holds its lease, which PostgreSQL takes back when it
//!   loses the worker.
//! - Transcripts are in a session store, so that the next turn can run anywhere.

mod queue;

mod database;
mod lease;
mod progress;
mod worker;

pub use database::Database;
pub use lease::Leases;
pub use queue::{Job, Queue};
pub use worker::Worker;
