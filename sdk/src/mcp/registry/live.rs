//! A list that changes while sessions use it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::list::{Entry, List};
use super::pages::Format;
use crate::mcp::outbox::Outbox;

/// The current list. A clone refers to the same list.
pub(crate) struct Live<E>(Arc<Shared<E>>);

struct Shared<E> {
    format: Format,
    list: RwLock<Arc<List<E>>>,
    /// Counts the changes, so that a session notices them without the lock.
    generation: AtomicU64,
}

/// The list as one session saw it last.
pub(crate) struct View<E> {
    live: Live<E>,
    list: Arc<List<E>>,
    generation: u64,
}

impl<E: Entry> Live<E> {
    /// `member` is the member of a result that has the entries of a page.
    pub(super) fn new(entries: Vec<E>, member: &'static str, page_size: usize) -> Self {
        let format = Format { member, size: page_size };
        let list = RwLock::new(Arc::new(List::new(entries, format)));
        Self(Arc::new(Shared { format, list, generation: AtomicU64::new(0) }))
    }

    pub(crate) fn now(&self) -> Arc<List<E>> {
        self.0.list.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn view(&self) -> View<E> {
        let generation = self.generation();
        View { live: Self(self.0.clone()), list: self.now(), generation }
    }

    /// Changes the entries, or leaves them as they are if `change` fails. The old list is dropped
    /// after the lock is released, as it may hold user code.
    pub(super) fn change<T, X>(
        &self,
        change: impl FnOnce(&mut Vec<E>) -> Result<T, X>,
    ) -> Result<T, X> {
        let (changed, _leftovers) = {
            let mut current = self.0.list.write().unwrap_or_else(PoisonError::into_inner);
            let mut entries = current.entries().to_vec();
            match change(&mut entries) {
                Ok(changed) => {
                    let list = Arc::new(List::new(entries, self.0.format));
                    let old = std::mem::replace(&mut *current, list);
                    self.0.generation.fetch_add(1, Ordering::Release);
                    (Ok(changed), (Some(old), Vec::new()))
                }
                Err(error) => (Err(error), (None, entries)),
            }
        };
        changed
    }

    /// Removes the first entry that is meant. Returns whether there was one.
    pub(super) fn remove(&self, is_meant: impl Fn(&E) -> bool) -> bool {
        let removed = self.change(|entries| {
            let at = entries.iter().position(is_meant).ok_or(())?;
            entries.remove(at);
            Ok::<_, ()>(())
        });
        removed.is_ok()
    }

    /// A number that is different after every change.
    pub(crate) fn generation(&self) -> u64 {
        self.0.generation.load(Ordering::Acquire)
    }
}

impl<E: Entry> View<E> {
    /// The current list. It takes the lock only after a change. An old list is dropped after the
    /// host has released its lock.
    pub(crate) fn now(&mut self, out: &mut Outbox) -> &Arc<List<E>> {
        let generation = self.live.generation();
        if generation != self.generation {
            self.generation = generation;
            let old = std::mem::replace(&mut self.list, self.live.now());
            out.later(move || drop(old));
        }
        &self.list
    }
}
