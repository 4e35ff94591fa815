//! The calls that are not answered yet.

use std::collections::HashMap;
use std::sync::Arc;

use crate::mcp::call::Subject;
use crate::mcp::link::CallId;
use crate::mcp::protocol::{RequestId, Revision};

/// Found by the request's id, distinguished by their number.
///
/// Most calls are answered before the next line is read. The newest one has a field of its own, so
/// that these never use the map.
#[derive(Default)]
pub(super) struct InFlight {
    newest: Option<(RequestId, Entry)>,
    others: HashMap<RequestId, Entry>,
    next: u64,
}

pub(super) struct Entry {
    number: u64,
    pub(super) revision: Revision,
    pub(super) subject: Arc<dyn Subject>,
}

impl InFlight {
    pub(super) fn insert(
        &mut self,
        id: &RequestId,
        revision: Revision,
        subject: Arc<dyn Subject>,
    ) -> CallId {
        let call = CallId { id: id.clone(), number: self.number() };
        let entry = Entry { number: call.number, revision, subject };
        if let Some((id, entry)) = self.newest.replace((call.id.clone(), entry)) {
            self.others.insert(id, entry);
        }
        call
    }

    /// A number that no call has.
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn contains(&self, id: &RequestId) -> bool {
        self.entry(id).is_some()
    }

    pub(super) fn is_running(&self, call: &CallId) -> bool {
        self.running(call).is_some()
    }

    /// An unanswered call.
    pub(super) fn running(&self, call: &CallId) -> Option<&Entry> {
        self.entry(&call.id).filter(|entry| entry.number == call.number)
    }

    /// The unanswered call with this id.
    pub(super) fn find(&self, id: &RequestId) -> Option<CallId> {
        self.entry(id).map(|entry| CallId { id: id.clone(), number: entry.number })
    }

    /// Removes a call, if it is still in flight.
    pub(super) fn take(&mut self, call: &CallId) -> Option<Entry> {
        if let Some((_, entry)) = self.newest.take_if(|(_, entry)| entry.number == call.number) {
            return Some(entry);
        }
        match self.others.get(&call.id)?.number == call.number {
            true => self.others.remove(&call.id),
            false => None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.others.len() + usize::from(self.newest.is_some())
    }

    /// Removes all calls, the oldest first.
    pub(super) fn drain(&mut self) -> Vec<(CallId, Entry)> {
        if let Some((id, entry)) = self.newest.take() {
            self.others.insert(id, entry);
        }
        let mut all = Vec::new();
        for (id, entry) in std::mem::take(&mut self.others) {
            all.push((CallId { id, number: entry.number }, entry));
        }
        all.sort_unstable_by_key(|(call, _)| call.number);
        all
    }

    fn entry(&self, id: &RequestId) -> Option<&Entry> {
        match &self.newest {
            Some((newest, entry)) if newest == id => Some(entry),
            _ => self.others.get(id),
        }
    }
}
