//! Who waits for a message, or for the end of a turn.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Wake, Waker};

/// The readers that wait, each under a number of its own. To wake this wakes all of them.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<Vec<(Option<u64>, Waker)>>);

impl Waiting {
    /// Notes that a reader waits: the `Turn` of this prompt, or the client.
    pub(crate) fn add(&self, reader: Option<u64>, waker: Waker) {
        // Wakers are the user's: the old one is dropped outside of the lock.
        let _old = {
            let waiting = &mut *self.lock();
            match waiting.iter_mut().find(|(known, _)| *known == reader) {
                Some((_, place)) => Some(std::mem::replace(place, waker)),
                None => {
                    waiting.push((reader, waker));
                    None
                }
            }
        };
    }

    /// Wakes all. Wakers are the user's, so no lock may be held.
    pub(crate) fn wake_all(&self) {
        let waiting = std::mem::take(&mut *self.lock());
        waiting.into_iter().for_each(|(_, waker)| waker.wake());
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Option<u64>, Waker)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.wake_all();
    }
}
