//! The order of entries.

use std::borrow::Cow;
use std::collections::HashMap;
use std::mem;

use crate::agent::sessions::SessionEntry;

/// The entries, each behind the one that it follows. What a store takes late, after a failure or
/// when its copy is repaired, it has behind what followed; all else stays where it is.
pub(crate) fn in_order(entries: &[SessionEntry]) -> Vec<SessionEntry> {
    let mut places = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        if let Some(id) = entry.uuid() {
            places.entry(id).or_insert(at);
        }
    }
    let mut is_taken = vec![false; entries.len()];
    let (mut ordered, mut way) = (Vec::with_capacity(entries.len()), Vec::new());
    for at in 0..entries.len() {
        let mut next = Some(at);
        while let Some(at) = next.filter(|at| !mem::replace(&mut is_taken[*at], true)) {
            way.push(entries[at].clone());
            next = followed(&entries[at]).and_then(|id| places.get(&id).copied());
        }
        ordered.extend(way.drain(..).rev());
    }
    ordered
}

/// The id of the entry before. The boundary of a compaction names it as its logical parent only.
fn followed(entry: &SessionEntry) -> Option<Cow<'_, str>> {
    entry.text("parentUuid").or_else(|| entry.text("logicalParentUuid"))
}

#[cfg(test)]
mod tests;
