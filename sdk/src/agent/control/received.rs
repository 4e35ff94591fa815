//! Requests of the CLI that we have not answered.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The requests without an answer; `R` is what runs for one.
pub(crate) struct Received<R>(HashMap<Arc<str>, Option<R>>);

/// Names one request of the CLI, also after the CLI has used the same id again: two are equal only
/// if one is a clone of the other.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedId(Arc<str>);

impl<R> Received<R> {
    /// Whether all requests were answered or cancelled.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes note of a request. `None` if one with this id is open: then it is a repetition.
    pub(crate) fn open(&mut self, id: &str) -> Option<ReceivedId> {
        if self.0.contains_key(id) {
            return None;
        }
        let id: Arc<str> = id.into();
        self.0.insert(id.clone(), None);
        Some(ReceivedId(id))
    }

    /// Keeps what runs for a request; gives it back if the request is no longer open.
    pub(crate) fn attach(&mut self, id: &ReceivedId, work: R) -> Option<R> {
        let is_open = self.is_open(id);
        match self.0.get_mut(id.as_str()).filter(|_| is_open) {
            Some(place) => place.replace(work),
            None => Some(work),
        }
    }

    /// Takes a request out to answer it, with what ran for it. `None` if it was answered or
    /// cancelled before.
    pub(crate) fn take(&mut self, id: &ReceivedId) -> Option<Option<R>> {
        if !self.is_open(id) {
            return None;
        }
        self.0.remove(id.as_str())
    }

    /// Takes a request out because the CLI has cancelled it; gives what runs for it.
    pub(crate) fn cancel(&mut self, id: &str) -> Option<R> {
        self.0.remove(id)?
    }

    /// Takes all requests out and gives what runs for them.
    pub(crate) fn take_all(&mut self) -> Vec<R> {
        self.0.drain().filter_map(|(_, work)| work).collect()
    }

    fn is_open(&self, id: &ReceivedId) -> bool {
        self.0.get_key_value(id.as_str()).is_some_and(|(open, _)| Arc::ptr_eq(open, &id.0))
    }
}

impl<R> Default for Received<R> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl ReceivedId {
    /// The id as the CLI wrote it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq for ReceivedId {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ReceivedId {}

impl Hash for ReceivedId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).cast::<u8>().hash(state);
    }
}
