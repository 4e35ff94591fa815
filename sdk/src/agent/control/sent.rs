//! Requests that we sent and the CLI has not answered.

use std::collections::HashMap;
use std::fmt;

/// The requests without an answer; `W` waits for the answer.
pub(crate) struct Sent<W> {
    last: u64,
    waiting: HashMap<SentId, W>,
}

/// The id of a request of ours, written as `req_1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SentId(u64);

impl<W> Sent<W> {
    /// Takes note of a request and gives it an id.
    pub(crate) fn open(&mut self, waiter: W) -> SentId {
        self.last += 1;
        let id = SentId(self.last);
        self.waiting.insert(id, waiter);
        id
    }

    /// An id for a request whose answer nobody needs. No note is taken of it.
    pub(crate) fn unnoted(&mut self) -> SentId {
        self.last += 1;
        SentId(self.last)
    }

    /// What waits for the answer to a request, unless it was answered or withdrawn before.
    pub(crate) fn waiter(&mut self, id: SentId) -> Option<&mut W> {
        self.waiting.get_mut(&id)
    }

    /// Takes a request out, unless it was answered or withdrawn before.
    pub(crate) fn take(&mut self, id: SentId) -> Option<W> {
        self.waiting.remove(&id)
    }

    /// Takes all requests out.
    pub(crate) fn take_all(&mut self) -> Vec<W> {
        self.waiting.drain().map(|(_, waiter)| waiter).collect()
    }
}

impl<W> Default for Sent<W> {
    fn default() -> Self {
        Self { last: 0, waiting: HashMap::new() }
    }
}

impl SentId {
    /// Reads the id that an answer names, only in the form that was sent: no sign and no leading
    /// zeros.
    pub(crate) fn read(id: &str) -> Option<Self> {
        let number = id.strip_prefix("req_")?;
        let is_sent = number.starts_with(|first: char| matches!(first, '1'..='9'));
        is_sent.then(|| number.parse().ok().map(Self))?
    }
}

impl fmt::Display for SentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "req_{}", self.0)
    }
}
