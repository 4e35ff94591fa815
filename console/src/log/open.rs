//! The spans of which the program has handles.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::span::Id;

use super::span::Span;

#[derive(Default)]
pub(super) struct Spans(Mutex<Table>);

#[derive(Default)]
struct Table {
    /// Ids are not used again: one that outlives its span must not name another span.
    last: u64,
    /// In the order of their ids.
    open: VecDeque<Open>,
}

struct Open {
    id: u64,
    span: Arc<Span>,
    handles: usize,
}

impl Spans {
    pub(super) fn open(&self, span: Span) -> Id {
        let span = Arc::new(span);
        let mut table = self.table();
        table.last += 1;
        let id = table.last;
        table.open.push_back(Open { id, span, handles: 1 });
        Id::from_u64(id)
    }

    pub(super) fn get(&self, id: &Id) -> Option<Arc<Span>> {
        let table = self.table();
        let place = table.place(id)?;
        Some(table.open[place].span.clone())
    }

    /// Counts one more handle.
    pub(super) fn share(&self, id: &Id) {
        let mut table = self.table();
        if let Some(place) = table.place(id) {
            table.open[place].handles += 1;
        }
    }

    /// Counts one handle less, and returns whether it was the last.
    pub(super) fn close(&self, id: &Id) -> bool {
        let mut table = self.table();
        let Some(place) = table.place(id) else { return false };
        let open = &mut table.open[place];
        open.handles -= 1;
        let is_last = open.handles == 0;
        let closed = if is_last { table.open.remove(place) } else { None };
        drop(table);
        // The span is freed without the lock.
        drop(closed);
        is_last
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn place(&self, id: &Id) -> Option<usize> {
        self.open.binary_search_by_key(&id.into_u64(), |open| open.id).ok()
    }
}
