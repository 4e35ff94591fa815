use std::collections::BTreeMap;

use crate::agent::sessions::{SessionEntry, SessionKey};

/// With more entries or bytes than these the store gets them before the turn has ended.
const MANY_ENTRIES: usize = 500;
const MANY_BYTES: usize = 1024 * 1024;
/// More bytes do not wait for a store that is slow: further entries are lost to it.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;
/// More transcripts with entries that cannot be read are not told of before a turn has ended.
const MOST_UNREADABLE: usize = 64;

/// Entries that wait for the store, by their transcripts.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// In the order in which the first entry of each came.
    pub(super) waiting: Vec<(SessionKey, Vec<SessionEntry>)>,
    /// How many entries there was no room for.
    pub(super) lost: BTreeMap<SessionKey, usize>,
    /// How many entries, or lines with entries, cannot be read.
    pub(super) unreadable: BTreeMap<SessionKey, usize>,
    entries: usize,
    bytes: usize,
}

impl Frames {
    pub(super) fn add(&mut self, key: SessionKey, entries: Vec<SessionEntry>) {
        let bytes: usize = entries.iter().map(|entry| entry.get().len()).sum();
        if self.bytes + bytes > MOST_BYTES && self.bytes > 0 {
            *self.lost.entry(key).or_default() += entries.len();
            return;
        }
        self.entries += entries.len();
        self.bytes += bytes;
        match self.waiting.iter_mut().find(|(known, _)| *known == key) {
            Some((_, waiting)) => waiting.extend(entries),
            None => self.waiting.push((key, entries)),
        }
    }

    /// Takes note of entries that cannot be read. Of further transcripts only the log tells.
    pub(super) fn miss(&mut self, key: &SessionKey, count: usize) {
        tracing::error!(%key, count, "entries of a transcript cannot be read");
        if self.unreadable.len() < MOST_UNREADABLE || self.unreadable.contains_key(key) {
            *self.unreadable.entry(key.clone()).or_default() += count;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.unreadable.is_empty()
    }

    pub(super) fn are_many(&self) -> bool {
        self.entries > MANY_ENTRIES || self.bytes > MANY_BYTES
    }
}
