use std::collections::BTreeMap;

use crate::agent::sessions::{SessionEntry, SessionKey};

/// With more entries or bytes than these the store gets them before the turn has ended.
const MANY_ENTRIES: usize = 500;
const MANY_BYTES: usize = 1024 * 1024;
/// More bytes do not wait for a store that is slow: further entries are lost to it.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Entries that wait for the store, by their transcripts.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// In the order in which the first entry of each came.
    pub(super) waiting: Vec<(SessionKey, Vec<SessionEntry>)>,
    /// How many entries there was no room for.
    pub(super) lost: BTreeMap<SessionKey, usize>,
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

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn are_many(&self) -> bool {
        self.entries > MANY_ENTRIES || self.bytes > MANY_BYTES
    }
}
