//! Which parts of a text were given as pieces already.

use std::collections::VecDeque;

/// The blocks of one answer that has begun to stream: a whole block comes behind its pieces.
#[derive(Debug, Default)]
pub(super) struct Streamed {
    blocks: VecDeque<String>,
    /// A piece came, and nothing has ended its text yet.
    is_open: bool,
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
        self.is_open = true;
        match self.blocks.back_mut() {
            Some(block) => block.push_str(piece),
            None => self.blocks.push_back(piece.to_owned()),
        }
    }

    /// The text ends. False if none was open.
    pub(super) fn end(&mut self) -> bool {
        std::mem::take(&mut self.is_open)
    }

    /// What of a whole block was not given yet. The blocks before it are over: thinking need not
    /// come whole, or says something else then.
    pub(super) fn rest<'a>(&mut self, whole: &'a str) -> &'a str {
        let is_begun = |block: &String| !block.is_empty() && whole.starts_with(block.as_str());
        let at = self.blocks.iter().position(|block| block == whole);
        let Some(at) = at.or_else(|| self.blocks.iter().position(is_begun)) else { return whole };
        let given = self.blocks.drain(..=at).next_back().unwrap_or_default();
        whole.get(given.len()..).unwrap_or_default()
    }
}
