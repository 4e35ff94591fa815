use std::collections::BTreeMap;

use crate::agent::sessions::{SessionEntry, SessionKey};

/// With more entries or bytes than these the store gets them before the turn has ended.
const MANY_ENTRIES: usize = 500;
const MANY_BYTES: usize = 1024 * 1024;
/// More bytes do not wait for a store that is slow: further entries are lost to it.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;
/// Nor do more transcripts.
pub(super) const MOST_TRANSCRIPTS: usize = 1024;
/// More transcripts whose entries are lost or cannot be read are not told of at a time.
const MOST_TOLD: usize = 64;

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
        let place = self.waiting.iter().position(|(known, _)| *known == key);
        let is_one_too_many = place.is_none() && self.waiting.len() >= MOST_TRANSCRIPTS;
        if is_one_too_many || self.bytes + bytes > MOST_BYTES && self.bytes > 0 {
            let count = entries.len();
            if !tell(&mut self.lost, &key, count) {
                tracing::error!(%key, count, "entries are lost to a slow session store");
            }
            return;
        }
        self.entries += entries.len();
        self.bytes += bytes;
        match place {
            Some(place) => self.waiting[place].1.extend(entries),
            None => self.waiting.push((key, entries)),
        }
    }

    /// Takes note of entries that cannot be read. Of further transcripts only the log tells.
    pub(super) fn miss(&mut self, key: &SessionKey, count: usize) {
        tracing::error!(%key, count, "entries of a transcript cannot be read");
        tell(&mut self.unreadable, key, count);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.unreadable.is_empty()
    }

    pub(super) fn are_many(&self) -> bool {
        self.entries > MANY_ENTRIES || self.bytes > MANY_BYTES
    }
}

/// Takes note of entries to be told of. False if only the log can tell of them.
fn tell(told: &mut BTreeMap<SessionKey, usize>, key: &SessionKey, count: usize) -> bool {
    let has_room = told.len() < MOST_TOLD || told.contains_key(key);
    if has_room {
        *told.entry(key.clone()).or_default() += count;
    }
    has_room
}
