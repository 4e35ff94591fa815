//! The tasks of a registry.

mod time;
mod in_memory;

use std::time::Duration;

pub(super) use in_memory::InMemory;

/// How long clients may ask for a task, from its beginning.
pub(super) const TTL: Duration = Duration::from_secs(3_600);
/// How long clients should wait before they ask again.
const POLL: Duration = Duration::from_secs(1);
/// How many tasks a registry has.
const MOST: usize = 64;

#[cfg(test)]
mod tests;
