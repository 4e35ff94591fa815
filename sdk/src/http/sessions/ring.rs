//! The last messages of one stream.

use std::collections::VecDeque;

use super::super::outlet::{Message, Part};

/// Messages by their positions in the stream, from 1: the priming event has 0.
#[derive(Debug, Default)]
pub(super) struct Ring {
    /// How many messages were dropped.
    dropped: u64,
    messages: VecDeque<Message>,
    is_over: bool,
}

impl Ring {
    /// Adds a message, unless the answer has come.
    pub(super) fn push(&mut self, message: Message) -> bool {
        if self.is_over {
            return false;
        }
        self.is_over = matches!(message.part, Part::Answer(_));
        self.messages.push_back(message);
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
        let at = position.saturating_sub(self.dropped);
        let message = self.messages.get(usize::try_from(at).ok()?)?;
        Some((self.dropped + at + 1, message))
    }

    /// Drops the oldest message, but never the newest. Returns its length.
    pub(super) fn drop_oldest(&mut self) -> Option<usize> {
        (self.messages.len() > 1).then(|| self.drop_first())
    }

    /// Drops the messages up to a position. Returns their length.
    pub(super) fn drop_until(&mut self, position: u64) -> usize {
        let mut bytes = 0;
        while self.dropped < position && !self.messages.is_empty() {
            bytes += self.drop_first();
        }
        bytes
    }

    /// The length of all messages.
    pub(super) fn bytes(&self) -> usize {
        self.messages.iter().map(|message| message.text.len()).sum()
    }

    fn drop_first(&mut self) -> usize {
        self.dropped += 1;
        self.messages.pop_front().map_or(0, |message| message.text.len())
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
        assert_eq!(ring.drop_oldest(), Some(1));
        assert_eq!(ring.bytes(), 5);
        let left = [(2, "bb".to_owned()), (3, "ccc".to_owned())];
        assert_eq!(texts(&ring, 0), left);
        assert_eq!(texts(&ring, 1), left);
        assert_eq!(texts(&ring, 2), left[1..]);
        assert_eq!(texts(&ring, 3), []);
        assert_eq!(texts(&ring, u64::MAX), []);
        assert_eq!(ring.drop_until(2), 2);
        assert_eq!(texts(&ring, 0), left[1..]);
        assert_eq!(ring.drop_oldest(), None);
    }

    #[test]
    fn nothing_follows_the_answer() {
        let mut ring = Ring::default();
        assert!(ring.push(message("answer", Part::Answer(None))) && ring.is_over());
        assert!(!ring.push(message("late", Part::Before)));
        assert_eq!(texts(&ring, 0), [(1, "answer".to_owned())]);
    }
}
