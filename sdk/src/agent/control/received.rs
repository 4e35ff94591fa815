//! Requests of the CLI that we have not answered.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The most requests that may be open.
const MOST: usize = 16_384;
/// The most bytes of the lines of all open requests.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The requests without an answer; `R` is what runs for one.
pub(crate) struct Received<R> {
    last: u64,
    /// The length of the lines of all open requests.
    bytes: usize,
    /// A tree, as nothing is gained by hashing some few texts again and again.
    open: BTreeMap<Arc<str>, Open<R>>,
}

struct Open<R> {
    number: u64,
    length: usize,
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

    /// Takes note of a request, whose line has this length in bytes. `None` if one with this id is
    /// open: then it is a repetition.
    pub(crate) fn open(&mut self, id: &str, length: usize) -> Option<ReceivedId> {
        if self.open.contains_key(id) {
            return None;
        }
        self.last += 1;
        let id = ReceivedId { text: id.into(), number: self.last };
        self.bytes += length;
        self.open.insert(id.text.clone(), Open { number: id.number, length, work: None });
        Some(id)
    }

    /// Whether the newest request is one too many: in number, or in bytes together with others.
    pub(crate) fn is_overloaded(&self) -> bool {
        self.open.len() > MOST || (self.open.len() > 1 && self.bytes > MOST_BYTES)
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
        // A different number belongs to a later request with the same text.
        self.is_open(id).then(|| self.cancel(&id.text))
    }

    /// Takes a request out because the CLI has cancelled it; gives what runs for it.
    pub(crate) fn cancel(&mut self, id: &str) -> Option<R> {
        let open = self.open.remove(id)?;
        self.bytes -= open.length;
        open.work
    }

    /// Takes all requests out and gives what runs for them.
    pub(crate) fn take_all(&mut self) -> Vec<R> {
        self.bytes = 0;
        std::mem::take(&mut self.open).into_values().filter_map(|open| open.work).collect()
    }
}

impl<R> Default for Received<R> {
    fn default() -> Self {
        Self { last: 0, bytes: 0, open: BTreeMap::new() }
    }
}

impl ReceivedId {
    /// The id as the CLI wrote it.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}
