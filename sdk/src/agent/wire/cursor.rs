use std::borrow::Cow;
use std::sync::Arc;

use super::string::decoded;
use super::text::Text;
use crate::scan;

/// A place in a JSON text that is read in one pass.
///
/// Whoever reads a value leaves the cursor behind it, or fails and leaves it anywhere within the
/// value; `None` is a failure. The text outside of what is read is skipped by its brackets and
/// quotes alone.
#[derive(Clone, Copy)]
pub(in crate::agent) struct Cursor<'a> {
    whole: &'a Arc<str>,
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// The object whose first member is known to be a tag, and the end of that member.
    tagged: (usize, usize),
}

impl<'a> Cursor<'a> {
    /// Starts at the first value of a text.
    pub(in crate::agent) fn of(whole: &'a Arc<str>) -> Self {
        let mut cursor = Self { whole, text: whole, at: 0, tagged: (0, 0) };
        cursor.skip_space();
        cursor
    }

    /// The member `type` of the object here, the first one of that name. Does not move.
    pub(in crate::agent) fn tag(&mut self) -> Option<Cow<'a, str>> {
        const START: &str = "{\"type\":";
        let mut ahead = Self { at: self.at + START.len(), ..*self };
        if self.text.get(self.at..)?.starts_with(START)
            && let Some(tag) = ahead.string()
        {
            self.tagged = (self.at, ahead.at);
            return Some(tag);
        }
        self.member("type")
    }

    /// The string member `name` of the object here, the first one of that name.
    pub(in crate::agent) fn member(mut self, name: &str) -> Option<Cow<'a, str>> {
        let mut is_first = true;
        self.expect(b'{')?;
        while self.step(b'}', &mut is_first)? {
            if self.name()? == name {
                return self.string();
            }
            self.value()?;
        }
        None
    }

    /// The first byte of the value here.
    pub(in crate::agent) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads a value, or skips it if that fails.
    pub(in crate::agent) fn take<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        let taken = self.attempt(read);
        if taken.is_none() {
            self.value()?;
        }
        Some(taken)
    }

    /// Reads a value, or goes back to its beginning if that fails.
    pub(in crate::agent) fn attempt<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let from = self.at;
        let taken = read(self);
        if taken.is_none() {
            self.at = from;
        }
        taken
    }

    /// Skips a value and gives its text.
    pub(in crate::agent) fn value(&mut self) -> Option<&'a str> {
        let value = scan::value(self.text.get(self.at..)?)?;
        self.at += value.len();
        Some(value)
    }

    /// The text from another place up to here, which shares the memory of the whole.
    pub(super) fn text(&self, from: usize) -> Text {
        Text::of(self.whole, from..self.at)
    }

    /// Goes into an object, and past its tag if that was looked at and not wanted. True if the next
    /// member is the first.
    #[inline]
    pub(super) fn enter(&mut self, is_tag_wanted: bool) -> Option<bool> {
        let (object, end) = self.tagged;
        if object == self.at && object < end && !is_tag_wanted {
            self.at = end;
            return Some(false);
        }
        self.expect(b'{')?;
        Some(true)
    }

    /// Reads members or elements up to the bracket that ends them.
    #[inline]
    pub(super) fn parts(
        &mut self,
        close: u8,
        mut is_first: bool,
        mut read: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        while self.step(close, &mut is_first)? {
            read(self)?;
        }
        Some(())
    }

    /// The text that the string here stands for.
    #[inline]
    pub(in crate::agent) fn string(&mut self) -> Option<Cow<'a, str>> {
        self.expect(b'"')?;
        let from = self.at;
        let to = scan::string_stop(self.text.as_bytes(), from)?;
        if self.text.as_bytes()[to] == b'"' {
            self.at = to + 1;
            return self.text.get(from..to).map(Cow::Borrowed);
        }
        let (text, end) = decoded(self.text, from, to)?;
        self.at = end;
        Some(Cow::Owned(text))
    }

    #[inline]
    pub(super) fn colon(&mut self) -> Option<()> {
        self.skip_space();
        self.expect(b':')?;
        self.skip_space();
        Some(())
    }

    /// The whole text, if only white space follows.
    pub(super) fn end(&mut self) -> Option<Text> {
        self.skip_space();
        (self.at == self.text.len()).then(|| Arc::clone(self.whole).into())
    }

    /// Moves to the next part; returns false behind the closing bracket.
    #[inline]
    fn step(&mut self, close: u8, is_first: &mut bool) -> Option<bool> {
        self.skip_space();
        match self.byte()? {
            byte if byte == close => {
                self.at += 1;
                return Some(false);
            }
            _ if std::mem::take(is_first) => {}
            b',' => {
                self.at += 1;
                self.skip_space();
            }
            _ => return None,
        }
        Some(true)
    }

    /// Whether the next member is this one, which is written as `"name":`; if so, goes to its
    /// value. Where that is depends on no search, so that the processor reads ahead.
    #[inline(always)]
    pub(in crate::agent) fn is_at(&mut self, member: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_at = rest.starts_with(member.as_bytes());
        if is_at {
            self.at += member.len();
            self.skip_space();
        }
        is_at
    }

    /// The name of a member, as it stands between its quotes.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.expect(b'"')?;
        let from = self.at;
        let length = self.text.as_bytes().get(from..)?.iter().position(|byte| *byte == b'"')?;
        let mut name = self.text.get(from..from + length)?;
        if name.ends_with('\\') {
            // The quote may be a part of the name.
            let quoted = scan::value(self.text.get(from - 1..)?)?;
            name = quoted.get(1..quoted.len() - 1)?;
        }
        self.at = from + name.len() + 1;
        self.colon()?;
        Some(name)
    }

    #[inline]
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        (self.byte()? == byte).then(|| self.at += 1)
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.byte() {
            self.at += 1;
        }
    }
}
