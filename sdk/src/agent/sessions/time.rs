//! Times in transcripts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat, Utc};

/// A clock that never goes back, and shows no time twice.
#[derive(Debug, Default)]
pub(super) struct Clock {
    latest: AtomicU64,
}

impl Clock {
    /// Milliseconds since 1970, or later than those of the last call.
    pub(super) fn now(&self) -> u64 {
        self.after(0)
    }

    /// Like [`now`](Self::now), and later than `time`, to which the clock is put forward.
    pub(super) fn after(&self, time: u64) -> u64 {
        let now = millis_of(SystemTime::now()).max(time + 1);
        let next = |latest: u64| now.max(latest + 1);
        let latest = self
            .latest
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |latest| Some(next(latest)));
        latest.map_or_else(next, next)
    }
}

/// Milliseconds since 1970 of a time as RFC 3339 writes it. `None` also before 1970.
pub(super) fn millis(text: &str) -> Option<u64> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    time.timestamp_millis().try_into().ok()
}

/// Milliseconds between 1970 and a time.
pub(super) fn millis_of(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Now, as the CLI writes it.
pub(super) fn now() -> String {
    let millis = millis_of(SystemTime::now()).try_into().unwrap_or(i64::MAX);
    let time = DateTime::<Utc>::from_timestamp_millis(millis).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}
