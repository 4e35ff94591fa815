//! Durations as the CLI reads them.

use std::time::Duration;

/// The largest whole number of JavaScript. The CLI refuses larger ones, mostly in silence.
const MOST: u64 = (1 << 53) - 1;

/// The whole milliseconds, as many as JavaScript can hold at most.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(MOST).min(MOST)
}
