//! The messages that one read has brought.

use std::sync::Arc;

/// Messages in order, as one read brought them.
///
/// Small ones travel together: memory that one thread allocates and another frees costs more than a
/// second copy.
#[derive(Default)]
pub(crate) struct Batch {
    pub(super) pieces: Vec<Piece>,
    pub(super) length: usize,
    /// About how many bytes will be added.
    expected: usize,
}

pub(super) enum Piece {
    /// Small messages one after the other, where each ends, and how many messages and bytes were
    /// read.
    Small {
        text: String,
        ends: Vec<usize>,
        read: usize,
        at: usize,
    },
    Large(Arc<str>),
}

/// A message of at least this length travels alone.
pub(super) const LARGE: usize = 8 * 1024;
/// No more is allocated ahead, as most of what was read may be the beginning of a large message.
const MOST: usize = 256 * 1024;

impl Batch {
    /// For messages of about `expected` bytes in all.
    pub(crate) fn new(expected: usize) -> Self {
        Self { expected: expected.min(MOST), ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(crate) fn add(&mut self, message: &str) {
        self.length += message.len();
        if message.len() >= LARGE {
            return self.pieces.push(Piece::Large(message.into()));
        }
        if let Some(Piece::Small { text, ends, .. }) = self.pieces.last_mut() {
            text.push_str(message);
            return ends.push(text.len());
        }
        let mut text = String::with_capacity(
            (self.expected + message.len()).saturating_sub(self.length).max(message.len()),
        );
        text.push_str(message);
        self.pieces.push(Piece::Small { ends: vec![text.len()], text, read: 0, at: 0 });
    }
}

impl Piece {
    /// The next message of it, and whether that was the last.
    pub(super) fn next(&mut self) -> (Arc<str>, bool) {
        match self {
            Self::Small { text, ends, read, at } => {
                let end = ends.get(*read).copied().unwrap_or(*at);
                let message = text.get(*at..end).unwrap_or_default().into();
                (*read, *at) = (*read + 1, end);
                (message, *read >= ends.len())
            }
            Self::Large(message) => (std::mem::take(message), true),
        }
    }
}
