use super::link::Link;
use super::names::Name;

/// The entries of a transcript by their ids. Of several with one id the last counts.
pub(super) struct Index {
    /// By the number of the id's name.
    by_name: Vec<Option<usize>>,
    /// In the order in which the ids were first seen.
    order: Vec<Name>,
}

impl Index {
    pub(super) fn of(links: &[Link], names: usize) -> Self {
        let mut index = Self { by_name: vec![None; names], order: Vec::new() };
        for (at, link) in links.iter().enumerate() {
            if index.by_name[link.uuid.index()].replace(at).is_none() {
                index.order.push(link.uuid);
            }
        }
        index
    }

    pub(super) fn get(&self, name: Name) -> Option<usize> {
        self.by_name.get(name.index()).copied().flatten()
    }

    /// Each entry that counts.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.order.iter().filter_map(|name| self.get(*name))
    }
}
