//! The tasks of a registry.

mod written;
mod in_memory;

use std::time::Duration;

pub(super) use in_memory::InMemory;
#[cfg(feature = "redis")]
pub(crate) use written::{Status, members};

/// How long clients should wait before they ask again.
const POLL: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests;
