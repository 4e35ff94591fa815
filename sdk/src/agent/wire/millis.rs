use std::time::Duration;

/// The largest whole number of JavaScript. The CLI refuses larger ones, mostly in silence.
const MOST: u64 = (1 << 53) - 1;

/// A time as the CLI reads it: in whole milliseconds, as many as JavaScript can hold at most.
pub(in crate::agent) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(MOST).min(MOST)
}
