//! The tasks of a registry.

mod written;
mod in_memory;

use std::time::Duration;

pub(super) use in_memory::InMemory;
#[cfg(feature = "redis")]
pub(crate) use written::{Status, members};

/// How long clients may ask for a task, from its beginning.
pub(crate) const TTL: Duration = Duration::from_secs(3_600);
/// How long clients should wait before they ask again.
const POLL: Duration = Duration::from_secs(1);
/// How many tasks of a registry run at once.
pub(crate) const MOST_RUNNING: usize = 64;
/// How many ended tasks are kept for their clients.
const MOST_ENDED: usize = 192;

#[cfg(test)]
mod tests;
