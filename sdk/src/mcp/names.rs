//! Names that cannot be guessed.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes names of 128 bits, each once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// SipHash with keys of the operating system makes the names.
    random: [RandomState; 2],
    made: AtomicU64,
}

impl Names {
    pub(crate) fn next(&self) -> u128 {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let [high, low] = self.random.each_ref().map(|random| random.hash_one(number));
        u128::from(high) << 64 | u128::from(low)
    }
}
