//! The order of entries.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use crate::agent::sessions::SessionEntry;

/// The entries, each behind the one that it follows. What a store takes late, after a failure or
/// when its copy is repaired, it has behind what followed; all else stays where it is.
pub(crate) fn in_order(entries: &[SessionEntry]) -> Vec<SessionEntry> {
    let mut order = Order::of(entries);
    let mut is_on_way = vec![false; entries.len()];
    let mut way = Vec::new();
    for at in 0..entries.len() {
        let mut next = Some(at);
        while let Some(at) = next.filter(|at| !order.is_placed[*at] && !is_on_way[*at]) {
            is_on_way[at] = true;
            way.push(at);
            next = order.parents[at];
        }
        let mut before = entries.len();
        for at in way.drain(..).rev() {
            // Where the way has forked, as it does at calls of several tools, what does not lead on
            // belongs to the same turn.
            while let Some(aside) = order.next_behind(before).filter(|aside| *aside < at) {
                order.place(aside);
            }
            order.place(at);
            before = at;
        }
    }
    order.places.into_iter().map(|at| entries[at].clone()).collect()
}

/// Positions of entries in a new order.
struct Order {
    /// The entry that each one follows.
    parents: Vec<Option<usize>>,
    is_placed: Vec<bool>,
    /// Those that follow another one and are not placed yet.
    waiting: BTreeSet<usize>,
    places: Vec<usize>,
}

impl Order {
    fn of(entries: &[SessionEntry]) -> Self {
        let mut known = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            if let Some(id) = entry.uuid() {
                known.entry(id).or_insert(at);
            }
        }
        let parent = |entry| known.get(&followed(entry)?).copied();
        let parents: Vec<_> = entries.iter().map(parent).collect();
        let follows = |at: &usize| parents[*at].is_some();
        let waiting = (0..entries.len()).filter(follows).collect();
        let places = Vec::with_capacity(entries.len());
        Self { parents, is_placed: vec![false; entries.len()], waiting, places }
    }

    /// The first entry behind this one that waits, if that which it follows is placed.
    fn next_behind(&self, at: usize) -> Option<usize> {
        let next = self.waiting.range(at..).next().copied()?;
        self.parents[next].filter(|parent| self.is_placed[*parent]).map(|_| next)
    }

    fn place(&mut self, at: usize) {
        self.waiting.remove(&at);
        self.is_placed[at] = true;
        self.places.push(at);
    }
}

/// The id of the entry before. The boundary of a compaction names it as its logical parent only.
fn followed(entry: &SessionEntry) -> Option<Cow<'_, str>> {
    entry.text("parentUuid").or_else(|| entry.text("logicalParentUuid"))
}

#[cfg(test)]
mod tests;
