//! Which turn a message belongs to: the CLI says by the uuid of the user message that began it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The turns of a conversation whose results nobody has read yet, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<VecDeque<Turn>>);

#[derive(Debug)]
struct Turn {
    uuid: String,
    is_interrupted: bool,
    /// It was interrupted and a newer one was begun, so its messages are not delivered.
    is_stale: bool,
}

/// What to do with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relevance {
    /// It belongs to the turn at hand.
    Current,
    /// It is the last message of the turn at hand.
    Last,
    /// It belongs to a turn whose messages are not delivered.
    Stale,
}

impl Turns {
    /// A user message was written.
    pub(crate) fn begin(&self, uuid: String) {
        let turns = &mut *self.turns();
        for turn in turns.iter_mut() {
            turn.is_stale |= turn.is_interrupted;
        }
        turns.push_back(Turn { uuid, is_interrupted: false, is_stale: false });
    }

    /// All turns so far were interrupted, apart from those that stay in the CLI's queue. Those that
    /// were taken out of the queue never begin.
    pub(crate) fn interrupt(&self, still_queued: &[String], cancelled: &[String]) {
        let turns = &mut *self.turns();
        turns.retain(|turn| !cancelled.contains(&turn.uuid));
        for turn in turns {
            turn.is_interrupted |= !still_queued.contains(&turn.uuid);
        }
    }

    /// A message other than a result was read.
    pub(crate) fn message(&self, user_message_uuid: Option<&str>) -> Relevance {
        let turns = &*self.turns();
        let turn = match user_message_uuid {
            Some(uuid) => turns.iter().find(|turn| turn.uuid == uuid),
            None => turns.front(),
        };
        match turn.is_some_and(|turn| turn.is_stale) {
            true => Relevance::Stale,
            false => Relevance::Current,
        }
    }

    /// A result was read. One that names a turn ends those before it too; one that names none ends
    /// the oldest, unless the CLI had begun that turn by itself.
    pub(crate) fn result(&self, user_message_uuid: Option<&str>, by_itself: bool) -> Relevance {
        let turns = &mut *self.turns();
        let at = match user_message_uuid {
            Some(uuid) => turns.iter().position(|turn| turn.uuid == uuid),
            None if by_itself => None,
            None => (!turns.is_empty()).then_some(0),
        };
        let Some(at) = at else {
            return match turns.is_empty() {
                true => Relevance::Last,
                false => Relevance::Current,
            };
        };
        let turn = turns.drain(..=at).next_back();
        match turn.is_some_and(|turn| turn.is_stale) {
            true => Relevance::Stale,
            false => Relevance::Last,
        }
    }

    fn turns(&self) -> MutexGuard<'_, VecDeque<Turn>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
