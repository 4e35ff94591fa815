use std::collections::VecDeque;
use std::sync::Arc;

use crate::agent::sessions::{SessionEntry, SessionKey};

/// Entries that are appended with one call.
pub(super) type Batch = Arc<[SessionEntry]>;

/// What a store is to get of one transcript.
pub(super) struct Due {
    pub(super) key: SessionKey,
    /// What it has not taken before, in order.
    pub(super) old: VecDeque<Batch>,
    pub(super) new: Option<Batch>,
}

impl Due {
    /// Makes all of it old, as far as there is room, and says whether there is anything. From the
    /// first batch without room on nothing is kept.
    pub(super) fn keep(&mut self, room: &mut usize) -> bool {
        self.old.extend(self.new.take());
        let mut fits = |batch: &Batch| {
            let bytes = batch.iter().map(|entry| entry.get().len()).sum();
            let left = room.checked_sub(bytes);
            *room = left.unwrap_or(*room);
            left.is_some()
        };
        let count = self.old.iter().take_while(|batch| fits(batch)).count();
        self.old.truncate(count);
        count > 0
    }
}
