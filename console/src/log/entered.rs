//! The spans that a thread is in.

use std::cell::RefCell;
use std::sync::Arc;

use tracing::span::Id;

use super::span::Span;

struct Entered {
    id: Id,
    span: Arc<Span>,
    /// The thread is in this span already, so that it stays where it is.
    is_again: bool,
}

thread_local! {
    /// The last entered is the last. At the end of a thread the list is gone before all events.
    static ALL: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
}

/// The innermost span of this thread.
pub(super) fn current() -> Option<(Id, Arc<Span>)> {
    let innermost = |all: &RefCell<Vec<Entered>>| {
        let all = all.borrow();
        let entered = all.iter().rfind(|entered| !entered.is_again)?;
        Some((entered.id.clone(), entered.span.clone()))
    };
    ALL.try_with(innermost).ok()?
}

pub(super) fn enter(id: &Id, span: Arc<Span>) {
    let _ = ALL.try_with(|all| {
        let mut all = all.borrow_mut();
        let is_again = all.iter().any(|entered| entered.id == *id);
        all.push(Entered { id: id.clone(), span, is_again });
    });
}

pub(super) fn exit(id: &Id) {
    let _ = ALL.try_with(|all| {
        let mut all = all.borrow_mut();
        let place = all.iter().rposition(|entered| entered.id == *id)?;
        Some(all.remove(place))
    });
}
