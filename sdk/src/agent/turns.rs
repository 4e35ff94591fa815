//! Which turn a message belongs to: the CLI says by the uuid of the user message that began it.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The turns of a conversation whose results nobody has read yet, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Turns(VecDeque<Turn>);

#[derive(Debug)]
struct Turn {
    uuid: String,
    is_interrupted: bool,
    /// It was interrupted, and a newer one was begun: nobody wants to hear of it any more.
    is_stale: bool,
}

/// What to do with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relevance {
    /// It belongs to the turn at hand.
    Current,
    /// It is the last message of the turn at hand.
    Last,
    /// It belongs to a turn that nobody wants to hear of.
    Stale,
}

impl Turns {
    /// A user message was written.
    pub(crate) fn begin(&mut self, uuid: String) {
        for turn in &mut self.0 {
            turn.is_stale |= turn.is_interrupted;
        }
        self.0.push_back(Turn { uuid, is_interrupted: false, is_stale: false });
    }

    /// The turns up to now were interrupted, apart from those that stay in the CLI's queue. Those
    /// that were taken out of it never begin.
    pub(crate) fn interrupt(&mut self, still_queued: &[String], cancelled: &[String]) {
        self.0.retain(|turn| !cancelled.contains(&turn.uuid));
        for turn in &mut self.0 {
            turn.is_interrupted |= !still_queued.contains(&turn.uuid);
        }
    }

    /// A message that is no result was read.
    pub(crate) fn message(&self, user_message_uuid: Option<&str>) -> Relevance {
        let turn = match user_message_uuid {
            Some(uuid) => self.0.iter().find(|turn| turn.uuid == uuid),
            None => self.0.front(),
        };
        match turn.is_some_and(|turn| turn.is_stale) {
            true => Relevance::Stale,
            false => Relevance::Current,
        }
    }

    /// A result was read. One that names a turn ends those before it too; one that names none ends
    /// the oldest, unless the CLI had begun that turn by itself.
    pub(crate) fn result(&mut self, user_message_uuid: Option<&str>, by_itself: bool) -> Relevance {
        let at = match user_message_uuid {
            Some(uuid) => self.0.iter().position(|turn| turn.uuid == uuid),
            None if by_itself => None,
            None => (!self.0.is_empty()).then_some(0),
        };
        let Some(at) = at else {
            return match self.0.is_empty() {
                true => Relevance::Last,
                false => Relevance::Current,
            };
        };
        let turn = self.0.drain(..=at).next_back();
        match turn.is_some_and(|turn| turn.is_stale) {
            true => Relevance::Stale,
            false => Relevance::Last,
        }
    }
}

/// A random uuid, version 4. Every `RandomState` is seeded afresh.
pub(crate) fn uuid() -> String {
    let random = || u128::from(RandomState::new().build_hasher().finish());
    let bits =
        (random() << 64 | random()) & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests;
