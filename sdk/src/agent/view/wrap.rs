//! Breaks a text into rows, also while it still comes.

use super::plain::width_behind;

/// Where a text that is written piece by piece has got to. A word is written once it is complete,
/// or as wide as a row.
#[derive(Debug)]
pub(super) struct Wrap {
    indent: usize,
    width: usize,
    /// The columns of the row that are taken, the indentation among them.
    column: usize,
    /// Line ends that nothing has followed yet.
    ends: usize,
    spaces: usize,
    word: String,
    word_width: usize,
    /// Nothing but spaces is on the row yet.
    is_fresh: bool,
    /// A word was written: a text begins in its first row.
    has_begun: bool,
}

impl Wrap {
    /// For a row that is taken up to the indentation.
    pub(super) fn new(indent: usize, width: usize) -> Self {
        Self {
            indent,
            width: width.max(indent + 8),
            column: indent,
            ends: 0,
            spaces: 0,
            word: String::new(),
            word_width: 0,
            is_fresh: true,
            has_begun: false,
        }
    }

    pub(super) fn push(&mut self, text: &str, out: &mut String) {
        for char in text.chars() {
            match char {
                '\n' => {
                    self.flush(out);
                    self.spaces = 0;
                    self.ends += 1;
                }
                ' ' => {
                    self.flush(out);
                    self.spaces += 1;
                }
                _ => {
                    let width = width_behind(self.word.chars().next_back(), char);
                    if self.indent + self.word_width + width > self.width {
                        // What makes a sign a picture stays behind it.
                        let sign = if char == '\u{fe0f}' { self.word.pop() } else { None };
                        let sign_width = usize::from(sign.is_some());
                        self.word_width -= sign_width;
                        self.flush(out);
                        self.word.extend(sign);
                        self.word_width = sign_width;
                    }
                    self.word.push(char);
                    self.word_width += width;
                }
            }
        }
    }

    /// Writes the word that is complete.
    pub(super) fn flush(&mut self, out: &mut String) {
        if self.word.is_empty() {
            return;
        }
        for _ in 0..std::mem::take(&mut self.ends) {
            if self.has_begun {
                self.end_row(out);
            }
        }
        let room = self.width - self.column.max(self.indent);
        if self.spaces + self.word_width > room {
            if !self.is_fresh {
                self.end_row(out);
            }
            self.spaces = 0;
        }
        if self.column == 0 {
            out.extend(std::iter::repeat_n(' ', self.indent));
            self.column = self.indent;
        }
        out.extend(std::iter::repeat_n(' ', self.spaces));
        out.push_str(&self.word);
        self.column += std::mem::take(&mut self.spaces) + self.word_width;
        (self.is_fresh, self.has_begun) = (false, true);
        self.word.clear();
        self.word_width = 0;
    }

    fn end_row(&mut self, out: &mut String) {
        out.push('\n');
        self.column = 0;
        self.is_fresh = true;
    }
}

/// The rows of a whole text, without indentation.
pub(super) fn rows(text: &str, width: usize) -> Vec<String> {
    let mut out = String::new();
    let mut wrap = Wrap::new(0, width);
    wrap.push(text.trim_end(), &mut out);
    wrap.flush(&mut out);
    out.lines().map(str::to_owned).collect()
}
