//! Requests of the CLI that we have not answered.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The requests without an answer; `R` is what runs for one.
pub(crate) struct Received<R> {
    last: u64,
    /// A tree, as nothing is gained by hashing some few texts again and again.
    open: BTreeMap<Arc<str>, Open<R>>,
}

struct Open<R> {
    number: u64,
    work: Option<R>,
}

/// Names one request of the CLI for good: the CLI may use the same text again once the request is
/// answered or cancelled.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedId {
    text: Arc<str>,
    number: u64,
}

impl<R> Received<R> {
    /// Whether all requests were answered or cancelled.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes note of a request. `None` if one with this id is open: then it is a repetition.
    pub(crate) fn open(&mut self, id: &str) -> Option<ReceivedId> {
        if self.open.contains_key(id) {
            return None;
        }
        self.last += 1;
        let id = ReceivedId { text: id.into(), number: self.last };
        self.open.insert(id.text.clone(), Open { number: id.number, work: None });
        Some(id)
    }

    /// Whether a request was neither answered nor cancelled.
    pub(crate) fn is_open(&self, id: &ReceivedId) -> bool {
        self.open.get(&id.text).is_some_and(|open| open.number == id.number)
    }

    /// Keeps what runs for a request; gives it back if the request is no longer open.
    pub(crate) fn attach(&mut self, id: &ReceivedId, work: R) -> Option<R> {
        match self.open.get_mut(&id.text).filter(|open| open.number == id.number) {
            Some(open) => open.work.replace(work),
            None => Some(work),
        }
    }

    /// Takes a request out to answer it, with what ran for it. `None` if it was answered or
    /// cancelled before.
    pub(crate) fn take(&mut self, id: &ReceivedId) -> Option<Option<R>> {
        let (text, open) = self.open.remove_entry(&id.text)?;
        if open.number != id.number {
            // It is a later request with the same text.
            self.open.insert(text, open);
            return None;
        }
        Some(open.work)
    }

    /// Takes a request out because the CLI has cancelled it; gives what runs for it.
    pub(crate) fn cancel(&mut self, id: &str) -> Option<R> {
        self.open.remove(id)?.work
    }

    /// Takes all requests out and gives what runs for them.
    pub(crate) fn take_all(&mut self) -> Vec<R> {
        std::mem::take(&mut self.open).into_values().filter_map(|open| open.work).collect()
    }
}

impl<R> Default for Received<R> {
    fn default() -> Self {
        Self { last: 0, open: BTreeMap::new() }
    }
}

impl ReceivedId {
    /// The id as the CLI wrote it.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}
