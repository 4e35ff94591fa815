//! Which parts of a text were given as pieces already.

use std::collections::VecDeque;

/// The blocks of one answer that has begun to stream: a whole block comes behind its pieces.
#[derive(Debug, Default)]
pub(super) struct Streamed {
    blocks: VecDeque<String>,
}

impl Streamed {
    /// A new answer begins.
    pub(super) fn begin(&mut self) {
        self.blocks.clear();
    }

    /// A new block of text or thinking begins.
    pub(super) fn open(&mut self) {
        self.blocks.push_back(String::new());
    }

    pub(super) fn piece(&mut self, piece: &str) {
        match self.blocks.back_mut() {
            Some(block) => block.push_str(piece),
            None => self.blocks.push_back(piece.to_owned()),
        }
    }

    /// What of a whole block was not given yet.
    pub(super) fn rest<'a>(&mut self, whole: &'a str) -> &'a str {
        let rest = self.blocks.front().and_then(|block| whole.strip_prefix(block.as_str()));
        match rest {
            Some(rest) => {
                self.blocks.pop_front();
                rest
            }
            None => whole,
        }
    }
}
