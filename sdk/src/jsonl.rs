//! Line framing without I/O: takes bytes and returns lines.
//!
//! The rules are those of MCP's stdio transport: one message per line, which ends with LF. A CR
//! before the LF is removed, and empty lines are skipped.

use memchr::arch::all::memchr::One;
use memchr::memchr;

/// How many bytes of the start of an over-long line are kept, to find the request's id in them.
const HEAD: usize = 64 * 1024;
/// How many bytes of its end are kept, as some clients write the id last.
const TAIL: usize = 1024;
/// The mark of UTF-8 that some programs write first.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// So many bytes are searched quickly in any way.
const SHORT: usize = 256;
/// A buffer with more memory than this is released once its content fits into a small one.
const KEEP: usize = 16 * 1024 * 1024;

/// Cuts a byte stream into lines, in place.
///
/// ```
/// use toolwright::jsonl::{Line, Lines};
///
/// let mut lines = Lines::new(1024 * 1024);
/// lines.push(b"{\"id\":1}\r\n\n{\"id\"");
/// assert_eq!(lines.next(), Some(Line::Whole(b"{\"id\":1}")));
/// assert_eq!(lines.next(), None);
/// lines.push(b":2}");
/// assert_eq!(lines.finish(), Some(Line::Whole(b"{\"id\":2}")));
/// ```
#[derive(Debug)]
pub struct Lines {
    buffer: Vec<u8>,
    /// The start of the first line that was not taken yet.
    start: usize,
    /// The line at `start` has no end before this position.
    searched: usize,
    cap: usize,
    /// How many bytes of an over-long line were discarded so far.
    dropped: usize,
    fresh: bool,
}

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Line<'a> {
    /// A line within the cap.
    Whole(&'a [u8]),
    /// A line over the cap: its start, its end and its length. The bytes between are discarded.
    TooLong {
        /// The first bytes, at most 64 KiB.
        head: &'a [u8],
        /// The last bytes, at most 1 KiB.
        tail: &'a [u8],
        /// The length of the whole line, in bytes.
        length: usize,
    },
}

impl Lines {
    /// Lines longer than `cap` bytes, without their end, are returned as [`Line::TooLong`]. The
    /// least cap is 65 KiB: a smaller one counts as that.
    pub fn new(cap: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            cap: cap.max(HEAD + TAIL),
            dropped: 0,
            fresh: true,
        }
    }

    /// Adds bytes of the stream, which may end anywhere in a line.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer().extend_from_slice(bytes);
    }

    /// The buffer, for a reader that appends to it directly. It must only append.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        self.make_room();
        &mut self.buffer
    }

    /// The next line, or `None` if no whole line has arrived yet.
    #[allow(
        clippy::should_implement_trait,
        reason = "the line borrows the buffer, which an iterator cannot say"
    )]
    pub fn next(&mut self) -> Option<Line<'_>> {
        let (from, to, dropped) = self.find()?;
        Some(line(&self.buffer[from..to], dropped, self.cap))
    }

    /// Like [`Lines::next`], with a whole line in `into`, whose content it replaces. A long one
    /// that came alone is not copied: the buffer and `into` change places.
    pub fn next_into<'a>(&'a mut self, into: &'a mut Vec<u8>) -> Option<Line<'a>> {
        let (from, to, dropped) = self.find()?;
        into.clear();
        into.shrink_to(KEEP);
        let is_alone = from == 0 && self.start == self.buffer.len();
        if is_alone && dropped == 0 && (HEAD..=self.cap).contains(&to) {
            std::mem::swap(&mut self.buffer, into);
            (self.start, self.searched) = (0, 0);
            into.truncate(to);
            return Some(Line::Whole(into));
        }
        let line = line(&self.buffer[from..to], dropped, self.cap);
        let Line::Whole(whole) = line else { return Some(line) };
        into.extend_from_slice(whole);
        Some(Line::Whole(into))
    }

    /// The rest of the buffer once the stream has ended: a last line without its line feed, which
    /// may be incomplete.
    pub fn finish(&mut self) -> Option<Line<'_>> {
        let (from, to) = (self.start, self.buffer.len());
        self.start = to;
        self.searched = to;
        let dropped = std::mem::take(&mut self.dropped);
        let (from, to) = self.trim(from, to, dropped)?;
        Some(line(&self.buffer[from..to], dropped, self.cap))
    }

    /// How many buffered bytes were not taken as lines yet.
    #[cfg(feature = "agent")]
    pub(crate) fn waiting(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Where the next whole line is, and how many bytes of it were discarded.
    fn find(&mut self) -> Option<(usize, usize, usize)> {
        loop {
            let Some(length) = line_feed(self.buffer.get(self.searched..)?) else {
                self.searched = self.buffer.len();
                self.drop_excess();
                return None;
            };
            let (from, to) = (self.start, self.searched + length);
            self.start = to + 1;
            self.searched = self.start;
            let dropped = std::mem::take(&mut self.dropped);
            if let Some((from, to)) = self.trim(from, to, dropped) {
                return Some((from, to, dropped));
            }
        }
    }

    fn trim(&mut self, mut from: usize, mut to: usize, dropped: usize) -> Option<(usize, usize)> {
        let is_first = std::mem::take(&mut self.fresh);
        if dropped > 0 {
            // Its head and its tail stand side by side, and `line` cuts them apart.
            return Some((from, to));
        }
        if is_first && self.buffer[from..to].starts_with(BOM) {
            from += BOM.len();
        }
        if to > from && self.buffer[to - 1] == b'\r' {
            to -= 1;
        }
        let blank = self.buffer[from..to].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        (!blank).then_some((from, to))
    }

    /// Keeps only the head and the tail of a line that has grown over the cap. A mark before it and
    /// a CR behind it do not count.
    fn drop_excess(&mut self) {
        let length = self.buffer.len() - self.start;
        let most = self.cap.saturating_add(BOM.len() + 1);
        if (self.dropped > 0 || length > most) && length > HEAD + TAIL {
            let end = self.buffer.len();
            self.buffer.copy_within(end - TAIL.., self.start + HEAD);
            self.buffer.truncate(self.start + HEAD + TAIL);
            self.dropped += length - HEAD - TAIL;
            self.searched = self.buffer.len();
        }
    }

    fn make_room(&mut self) {
        if self.start == 0 {
            return;
        }
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.capacity() > KEEP && self.buffer.len() < HEAD {
            self.buffer.shrink_to(HEAD);
        }
    }
}

/// The position of the first line feed.
fn line_feed(bytes: &[u8]) -> Option<usize> {
    // The first call of `memchr` asks the processor what it can do, which takes longer in a virtual
    // machine than all else that an answer needs. Short lines do not need it.
    match bytes.len() <= SHORT {
        true => One::new(b'\n').find(bytes),
        false => memchr(b'\n', bytes),
    }
}

fn line(bytes: &[u8], dropped: usize, cap: usize) -> Line<'_> {
    if dropped == 0 && bytes.len() <= cap {
        return Line::Whole(bytes);
    }
    let (mut head, mut tail) = (&bytes[..HEAD], &bytes[bytes.len() - TAIL..]);
    if dropped > 0 {
        // `trim` has left this one as it came.
        head = head.strip_prefix(BOM).unwrap_or(head);
        tail = tail.strip_suffix(b"\r").unwrap_or(tail);
    }
    let removed = HEAD + TAIL - head.len() - tail.len();
    Line::TooLong { head, tail, length: bytes.len() + dropped - removed }
}

#[cfg(test)]
mod tests;
