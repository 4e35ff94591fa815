//! The last messages of one stream.

use std::collections::VecDeque;

use super::super::outlet::{Message, Part};

/// So many questions are open in a session at most: of more, some were withdrawn.
const MOST_OPEN: usize = 64;

/// So many bytes of changes are kept in any case: those of all that a session can subscribe to at
/// once. Of more, some were of what it subscribes to no longer.
const MOST_CHANGED: usize = 256 * 1024;

/// Messages by their positions in the stream, from 1: the priming event has 0.
#[derive(Debug, Default)]
pub(super) struct Ring {
    /// With the position of each.
    messages: VecDeque<(u64, Message)>,
    /// The position of the newest message.
    last: u64,
    /// The position of the newest message that was read.
    read: u64,
    is_over: bool,
    bytes: usize,
    /// The bytes of questions, and how many there are.
    asks: (usize, usize),
    /// The bytes of changes.
    changes: usize,
    /// The bytes of other messages before the answer.
    before: usize,
}

impl Ring {
    /// Adds a message, unless the answer has come, or it is a change that is kept already.
    pub(super) fn push(&mut self, message: Message) -> bool {
        if self.is_over || (message.part == Part::Change && self.has(&message.text)) {
            return false;
        }
        self.is_over = matches!(message.part, Part::Answer(_));
        let bytes = message.text.len();
        self.bytes += bytes;
        match message.part {
            Part::Before => self.before += bytes,
            Part::Change => self.changes += bytes,
            Part::Asks => self.asks = (self.asks.0 + bytes, self.asks.1 + 1),
            Part::Answer(_) => {}
        }
        self.last += 1;
        self.messages.push_back((self.last, message));
        true
    }

    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    /// True once nothing more will come.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// The first message that is kept after a position, and its own position.
    pub(super) fn after(&self, position: u64) -> Option<(u64, &Message)> {
        let at = self.messages.partition_point(|(at, _)| *at <= position);
        self.messages.get(at).map(|(at, message)| (*at, message))
    }

    /// Notes that a message was read.
    pub(super) fn read(&mut self, position: u64) {
        self.read = self.read.max(position);
    }

    /// The bytes of the messages that [`drop_oldest`](Self::drop_oldest) may drop.
    pub(super) fn spare(&self) -> usize {
        let asks = if self.is_over { self.asks.0 } else { 0 };
        let changes = if self.changes > MOST_CHANGED { self.changes } else { 0 };
        let newest = self.messages.back().filter(|(_, message)| self.is_spare(message));
        self.before + asks + changes - newest.map_or(0, |(_, message)| message.text.len())
    }

    /// Drops the oldest message that need not arrive, but never the newest one. Returns whether
    /// there was one.
    pub(super) fn drop_oldest(&mut self) -> bool {
        let at = self.messages.iter().position(|(_, message)| self.is_spare(message));
        self.drop_at(at)
    }

    /// Drops the oldest question, if it was read or must have been withdrawn. Returns whether there
    /// was one.
    pub(super) fn drop_asked(&mut self) -> bool {
        let is_many = self.asks.1 > MOST_OPEN;
        let at = self.messages.iter().position(|(_, message)| message.part == Part::Asks);
        self.drop_at(at.filter(|at| is_many || self.messages[*at].0 <= self.read))
    }

    /// Drops the messages up to a position.
    pub(super) fn drop_until(&mut self, position: u64) {
        while self.messages.front().is_some_and(|(at, _)| *at <= position) {
            self.take(0);
        }
    }

    /// The messages that are kept.
    pub(super) fn into_messages(self) -> impl Iterator<Item = Message> {
        self.messages.into_iter().map(|(_, message)| message)
    }

    /// The length of all messages.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// True of progress and the like, and of a question once its call has ended.
    fn is_spare(&self, message: &Message) -> bool {
        match message.part {
            Part::Before => true,
            Part::Change => self.changes > MOST_CHANGED,
            Part::Asks => self.is_over,
            Part::Answer(_) => false,
        }
    }

    fn has(&self, text: &[u8]) -> bool {
        self.messages.iter().any(|(_, message)| message.text == text)
    }

    fn drop_at(&mut self, at: Option<usize>) -> bool {
        let at = at.filter(|at| at + 1 < self.messages.len());
        at.is_some_and(|at| self.take(at))
    }

    fn take(&mut self, at: usize) -> bool {
        let Some((_, message)) = self.messages.remove(at) else { return false };
        let bytes = message.text.len();
        self.bytes -= bytes;
        match message.part {
            Part::Before => self.before -= bytes,
            Part::Change => self.changes -= bytes,
            Part::Asks => self.asks = (self.asks.0 - bytes, self.asks.1 - 1),
            Part::Answer(_) => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str, part: Part) -> Message {
        Message { text: text.into(), part }
    }

    fn texts(ring: &Ring, mut position: u64) -> Vec<(u64, String)> {
        let mut texts = Vec::new();
        while let Some((at, message)) = ring.after(position) {
            texts.push((at, String::from_utf8_lossy(&message.text).into_owned()));
            position = at;
        }
        texts
    }

    #[test]
    fn messages_keep_their_positions_when_older_ones_are_dropped() {
        let mut ring = Ring::default();
        for text in ["a", "bb", "ccc"] {
            assert!(ring.push(message(text, Part::Before)));
        }
        assert_eq!((ring.bytes(), ring.spare()), (6, 3));
        assert!(ring.drop_oldest());
        assert_eq!((ring.bytes(), ring.spare()), (5, 2));
        let left = [(2, "bb".to_owned()), (3, "ccc".to_owned())];
        assert_eq!(texts(&ring, 0), left);
        assert_eq!(texts(&ring, 1), left);
        assert_eq!(texts(&ring, 2), left[1..]);
        assert_eq!(texts(&ring, 3), []);
        assert_eq!(texts(&ring, u64::MAX), []);
        ring.drop_until(2);
        assert_eq!(texts(&ring, 0), left[1..]);
        assert_eq!((ring.bytes(), ring.spare()), (3, 0));
        assert!(!ring.drop_oldest());
    }

    #[test]
    fn a_question_stays_until_it_was_read_or_its_call_has_ended() {
        let mut ring = Ring::default();
        for (text, part) in [("a", Part::Before), ("q", Part::Asks), ("b", Part::Before)] {
            ring.push(message(text, part));
        }
        assert!(ring.drop_oldest() && !ring.drop_oldest() && !ring.drop_asked());
        let left = [(2, "q".to_owned()), (3, "b".to_owned())];
        assert_eq!(texts(&ring, 0), left);
        ring.read(1);
        assert!(!ring.drop_asked());
        ring.read(2);
        // A client that resumes reads the older ones once more.
        ring.read(1);
        assert!(ring.drop_asked());
        assert_eq!(texts(&ring, 0), left[1..]);
        // Nobody reads, and most of these were withdrawn.
        (0..100).for_each(|_| assert!(ring.push(message("q", Part::Asks))));
        while ring.drop_asked() {}
        assert_eq!((ring.bytes(), ring.spare()), (65, 1));
        ring.push(message("answer", Part::Answer(None)));
        assert_eq!(ring.spare(), 65);
        while ring.drop_oldest() {}
        assert_eq!(texts(&ring, 0), [(104, "answer".to_owned())]);
    }

    #[test]
    fn a_change_is_kept_once_and_dropped_only_for_many_others() {
        let mut ring = Ring::default();
        let change = |number: usize| message(&number.to_string().repeat(65_536), Part::Change);
        for number in 0..4 {
            assert!(ring.push(change(number)) && !ring.push(change(number)));
        }
        ring.push(message("b", Part::Before));
        ring.push(message("bb", Part::Before));
        assert_eq!(ring.spare(), 1);
        assert!(ring.drop_oldest() && !ring.drop_oldest());
        assert!(ring.push(change(4)));
        // The first one, and what is no change.
        assert!(ring.drop_oldest() && ring.drop_oldest() && !ring.drop_oldest());
        let left: Vec<_> = texts(&ring, 0).into_iter().map(|(at, _)| at).collect();
        assert_eq!((left, ring.spare()), (vec![2, 3, 4, 7], 0));
        ring.drop_until(2);
        assert!(ring.push(change(1)));
    }

    #[test]
    fn nothing_follows_the_answer() {
        let mut ring = Ring::default();
        assert!(ring.push(message("answer", Part::Answer(None))) && ring.is_over());
        assert!(!ring.push(message("late", Part::Before)));
        assert_eq!(texts(&ring, 0), [(1, "answer".to_owned())]);
    }
}
