//! The open spans of a program, and those that each thread is in.

use std::cell::RefCell;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::Metadata;
use tracing::span::Id;

use super::fields::Fields;

pub(super) struct Span {
    metadata: &'static Metadata<'static>,
    fields: Mutex<Fields>,
    parent: Option<Arc<Span>>,
}

/// The spans that a handle exists of. The id of one is its place in the table plus 1.
#[derive(Default)]
pub(super) struct Spans(Mutex<Table>);

#[derive(Default)]
struct Table {
    places: Vec<Option<Open>>,
    free: Vec<usize>,
}

struct Open {
    span: Arc<Span>,
    handles: usize,
}

thread_local! {
    /// The spans that this thread is in, the innermost last.
    static ENTERED: RefCell<Vec<(Id, Arc<Span>)>> = const { RefCell::new(Vec::new()) };
}

/// What `read` gets from the innermost span of this thread.
pub(super) fn current<T>(read: impl FnOnce(&Id, &Arc<Span>) -> T) -> Option<T> {
    // At the end of a thread its list is gone.
    let entered =
        |entered: &RefCell<Vec<_>>| entered.borrow().last().map(|(id, span)| read(id, span));
    ENTERED.try_with(entered).ok().flatten()
}

pub(super) fn exit(id: &Id) {
    let left = ENTERED.try_with(|entered| {
        let mut entered = entered.borrow_mut();
        let place = entered.iter().rposition(|(other, _)| other == id)?;
        Some(entered.remove(place))
    });
    drop(left);
}

impl Span {
    pub(super) fn new(
        metadata: &'static Metadata<'static>,
        fields: Fields,
        parent: Option<Arc<Self>>,
    ) -> Self {
        Self { metadata, fields: Mutex::new(fields), parent }
    }

    pub(super) fn metadata(&self) -> &'static Metadata<'static> {
        self.metadata
    }

    pub(super) fn record(&self, fields: &Fields) {
        self.fields().append(fields);
    }

    /// Writes `outer{its=fields}:inner{its=fields}:`.
    pub(super) fn write_path(&self, line: &mut String) {
        let mut path = vec![self];
        while let Some(parent) = path.last().and_then(|span| span.parent.as_deref()) {
            path.push(parent);
        }
        for span in path.into_iter().rev() {
            let fields = span.fields();
            let name = span.metadata.name();
            let _ = match fields.is_empty() {
                true => write!(line, "{name}:"),
                false => write!(line, "{name}{{{fields}}}:"),
            };
        }
    }

    fn fields(&self) -> MutexGuard<'_, Fields> {
        self.fields.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spans {
    pub(super) fn open(&self, span: Span) -> Id {
        let open = Some(Open { span: Arc::new(span), handles: 1 });
        let mut table = self.table();
        let place = table.free.pop().unwrap_or(table.places.len());
        match table.places.get_mut(place) {
            Some(free) => *free = open,
            None => table.places.push(open),
        }
        Id::from_u64(place as u64 + 1)
    }

    pub(super) fn get(&self, id: &Id) -> Option<Arc<Span>> {
        self.table().at(id)?.as_ref().map(|open| open.span.clone())
    }

    pub(super) fn enter(&self, id: &Id) {
        if let Some(span) = self.get(id) {
            let _ = ENTERED.try_with(|entered| entered.borrow_mut().push((id.clone(), span)));
        }
    }

    /// Counts one more handle.
    pub(super) fn share(&self, id: &Id) {
        if let Some(Some(open)) = self.table().at(id) {
            open.handles += 1;
        }
    }

    /// Counts one handle less, and returns whether it was the last.
    pub(super) fn close(&self, id: &Id) -> bool {
        let mut table = self.table();
        let Some(Some(open)) = table.at(id) else { return false };
        open.handles -= 1;
        if open.handles > 0 {
            return false;
        }
        table.places[index(id)] = None;
        table.free.push(index(id));
        true
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn at(&mut self, id: &Id) -> Option<&mut Option<Open>> {
        self.places.get_mut(index(id))
    }
}

fn index(id: &Id) -> usize {
    id.into_u64() as usize - 1
}
