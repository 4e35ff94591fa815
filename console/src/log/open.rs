//! The spans of which the program has handles.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::span::Id;

use super::span::Span;

#[derive(Default)]
pub(super) struct Spans(Mutex<Table>);

#[derive(Default)]
struct Table {
    /// Ids are not used again: one that outlives its span must not name another span.
    last: u64,
    open: HashMap<u64, Open>,
}

struct Open {
    span: Arc<Span>,
    handles: usize,
}

impl Spans {
    pub(super) fn open(&self, span: Span) -> Id {
        let open = Open { span: Arc::new(span), handles: 1 };
        let mut table = self.table();
        table.last += 1;
        let id = table.last;
        table.open.insert(id, open);
        Id::from_u64(id)
    }

    pub(super) fn get(&self, id: &Id) -> Option<Arc<Span>> {
        self.table().open.get(&id.into_u64()).map(|open| open.span.clone())
    }

    /// Counts one more handle.
    pub(super) fn share(&self, id: &Id) {
        if let Some(open) = self.table().open.get_mut(&id.into_u64()) {
            open.handles += 1;
        }
    }

    /// Counts one handle less, and returns whether it was the last.
    pub(super) fn close(&self, id: &Id) -> bool {
        let mut table = self.table();
        let Some(open) = table.open.get_mut(&id.into_u64()) else { return false };
        open.handles -= 1;
        let is_last = open.handles == 0;
        let closed = if is_last { table.open.remove(&id.into_u64()) } else { None };
        drop(table);
        // The span is freed without the lock.
        drop(closed);
        is_last
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
