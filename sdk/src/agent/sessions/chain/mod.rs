//! Which entries of a transcript are the conversation, and in which order.
//!
//! An entry names the one before it. The conversation is the way from the last entry that nobody
//! names to the first. What was said on other ways, by subagents or before a compaction, is not on
//! it; tools that ran at the same time are put back, and so is what a compaction has kept.

mod names;
mod kept;
mod link;
mod index;
mod parallel;

use std::collections::HashMap;

use self::index::Index;
use self::kept::Kept;
use self::link::{Kind, Link};
use self::names::Names;

/// The entries of a transcript without their contents. An entry is known by its position in the
/// transcript, in the form that the user of the chain has for it.
#[derive(Debug, Default)]
pub(super) struct Chain<P> {
    names: Names,
    links: Vec<Link>,
    /// The position of the line of each.
    lines: Vec<P>,
}

impl<P: Copy> Chain<P> {
    /// Takes the next line, which is at this position. It is passed over if it is broken or no part
    /// of a conversation.
    pub(super) fn push(&mut self, line: &str, at: P) {
        if let Some(link) = Link::read(line, &mut self.names) {
            self.links.push(link);
            self.lines.push(at);
        }
    }

    /// The positions of the conversation's messages, in order; among them those of the CLI itself,
    /// if they are wanted.
    pub(super) fn conversation(&mut self, with_system: bool) -> Vec<P> {
        let index = Index::of(&self.links, self.names.len());
        self.place_kept(&index);
        let Some(leaf) = self.leaf(&index) else { return Vec::new() };
        let chain = parallel::recover(&self.links, &index, self.walk(&index, leaf));
        let is_shown = |link: &Link| link.is_said() || (with_system && link.kind == Kind::System);
        self.lines_of(chain, |link| is_shown(link) && link.is_main())
    }

    /// The positions of the messages of a subagent, in order. Its transcript has one way only,
    /// which leads to the last message.
    pub(super) fn subagent(&self) -> Vec<P> {
        let index = Index::of(&self.links, self.names.len());
        let leaf = self.links.iter().rposition(Link::is_said);
        let leaf = leaf.and_then(|leaf| index.get(self.links[leaf].uuid));
        let chain = leaf.map(|leaf| self.walk(&index, leaf)).unwrap_or_default();
        self.lines_of(chain, Link::is_said)
    }

    /// Gives what compactions have kept its place behind their summaries.
    fn place_kept(&mut self, index: &Index) {
        let kept: Vec<_> = index.all().filter_map(|at| self.links[at].kept.take()).collect();
        let mut children: HashMap<_, Vec<_>> = HashMap::new();
        if !kept.is_empty() {
            for (at, link) in self.links.iter().enumerate() {
                children.entry(link.parent).or_default().push(at);
            }
        }
        for Kept { anchor, entries, last } in kept.into_iter().map(|kept| *kept) {
            let places: Option<Vec<_>> = entries.iter().map(|entry| index.get(*entry)).collect();
            let Some(places) = places else { continue };
            for (place, parent) in places.into_iter().zip([anchor].iter().chain(&entries)) {
                self.links[place].parent = Some(*parent);
            }
            // Each once, so that many boundaries with one anchor take no longer.
            for child in children.remove(&Some(anchor)).unwrap_or_default() {
                let link = &mut self.links[child];
                if link.parent == Some(anchor) && link.uuid != entries[0] {
                    link.parent = Some(last);
                }
            }
        }
    }

    fn lines_of(&self, chain: Vec<usize>, shown: impl Fn(&Link) -> bool) -> Vec<P> {
        let shown = chain.into_iter().filter(|at| shown(&self.links[*at]));
        shown.map(|at| self.lines[at]).collect()
    }

    /// Where the conversation ends: the last message that leads to an entry that nobody names,
    /// preferably one of the conversation with the user.
    fn leaf(&self, index: &Index) -> Option<usize> {
        let mut is_parent = vec![false; self.names.len()];
        for parent in self.links.iter().filter_map(|link| link.parent) {
            is_parent[parent.index()] = true;
        }
        // A walk ends where one has been before, also where it goes in a circle.
        let mut is_seen = vec![false; self.links.len()];
        let ends = (0..self.links.len()).filter(|at| !is_parent[self.links[*at].uuid.index()]);
        let leaves = ends.filter_map(|end| {
            let mut at = Some(end);
            while let Some(next) = at {
                if std::mem::replace(&mut is_seen[next], true) {
                    return None;
                }
                if self.links[next].is_said() {
                    return Some(next);
                }
                at = self.parent(index, next);
            }
            None
        });
        // Of several entries with one id, the last one's position counts.
        let place = |at: &usize| index.get(self.links[*at].uuid);
        leaves.max_by_key(|at| (self.links[*at].is_main(), place(at)))
    }

    /// From the first entry to this one.
    fn walk(&self, index: &Index, leaf: usize) -> Vec<usize> {
        let mut is_seen = vec![false; self.links.len()];
        let (mut chain, mut at) = (Vec::new(), Some(leaf));
        while let Some(next) = at.filter(|at| !std::mem::replace(&mut is_seen[*at], true)) {
            chain.push(next);
            at = self.parent(index, next);
        }
        chain.reverse();
        chain
    }

    fn parent(&self, index: &Index, at: usize) -> Option<usize> {
        self.links[at].parent.and_then(|parent| index.get(parent))
    }
}

#[cfg(test)]
mod tests;
