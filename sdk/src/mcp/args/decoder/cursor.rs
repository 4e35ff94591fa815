use std::borrow::Cow;

use serde::de::{Error as _, Expected};
use serde_json::Value;
use serde_json::de::StrRead;

use super::error::Error;

pub(super) type Inner<'de> = serde_json::Deserializer<StrRead<'de>>;

/// A place in a text, from which values are decoded.
#[doc(hidden)]
#[derive(Debug)]
pub struct Cursor<'de> {
    text: &'de str,
    at: usize,
    /// How many arrays and objects are open.
    depth: usize,
    /// The last string that was written with escapes.
    unescaped: String,
}

/// What a type wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Array,
    Object,
    Either,
}

/// What has been opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opened {
    Array,
    Object,
}

impl<'de> Cursor<'de> {
    pub(in crate::mcp::args) fn new(text: &'de str) -> Self {
        Self { text, at: 0, depth: 0, unescaped: String::new() }
    }

    /// How many bytes have been read.
    pub(in crate::mcp::args) fn position(&self) -> usize {
        self.at
    }

    /// True if the whole text begins with a null, which then counts as read.
    pub(in crate::mcp::args) fn is_null(&mut self) -> bool {
        const NULL: &str = "null";
        let is_null = self.text.starts_with(NULL);
        if is_null {
            self.at = NULL.len();
        }
        is_null
    }

    /// The next byte that is no white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// The text that has not been read.
    pub(super) fn rest(&self) -> &'de str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes past a part of [`Cursor::rest`].
    pub(super) fn advance(&mut self, length: usize) {
        self.at += length;
    }

    /// Lets serde_json read the next value.
    pub(super) fn inner<T>(
        &mut self,
        read: impl FnOnce(&mut Inner<'de>) -> serde_json::Result<T>,
    ) -> Result<T, Error> {
        let mut inner = Inner::from_str(self.rest());
        let value = read(&mut inner);
        self.at += inner.into_iter::<()>().byte_offset();
        value.map_err(Error::from)
    }

    /// Begins an array or an object.
    #[inline(never)]
    pub(super) fn open(
        &mut self,
        wanted: Wanted,
        expected: &dyn Expected,
    ) -> Result<Opened, Error> {
        let opened = match self.peek() {
            Some(b'[') if wanted != Wanted::Object => Opened::Array,
            Some(b'{') if wanted != Wanted::Array => Opened::Object,
            _ => return Err(self.refuse(expected)),
        };
        self.descend()?;
        Ok(opened)
    }

    /// Ends it. After an error of one of its parts, which is the one to tell, it cannot fail.
    #[inline(never)]
    pub(super) fn close(&mut self, opened: Opened, has_failed: bool) -> Result<(), Error> {
        self.depth -= 1;
        let next = self.peek();
        let is_comma = opened == Opened::Array && next == Some(b',');
        let end = if opened == Opened::Array { b']' } else { b'}' };
        if next == Some(end) || is_comma {
            self.at += 1;
        }
        let is_trailing_comma = match opened {
            Opened::Array => is_comma && self.peek() == Some(end),
            Opened::Object => next == Some(b','),
        };
        if next == Some(end) || has_failed {
            return Ok(());
        }
        Err(match (next, opened) {
            (None, Opened::Array) => ended("["),
            (None, Opened::Object) => ended("{"),
            _ if is_trailing_comma => Error::custom("trailing comma"),
            _ => Error::custom("trailing characters"),
        })
    }

    /// Moves to the next element of an array; returns false if there is none.
    #[inline(never)]
    pub(super) fn element(&mut self, is_first: bool) -> Result<bool, Error> {
        match self.peek() {
            Some(b']') => Ok(false),
            Some(_) if is_first => Ok(true),
            Some(b',') => {
                self.at += 1;
                match self.peek() {
                    Some(b']') => Err(Error::custom("trailing comma")),
                    Some(_) => Ok(true),
                    None => Err(ended("")),
                }
            }
            Some(_) => Err(Error::custom("expected `,` or `]`")),
            None => Err(ended("[")),
        }
    }

    /// Moves to the next key of an object; returns false if there is none.
    #[inline(never)]
    pub(super) fn key(&mut self, is_first: bool) -> Result<bool, Error> {
        match self.peek() {
            Some(b'}') => Ok(false),
            Some(b'"') if is_first => Ok(true),
            Some(_) if is_first => Err(Error::custom("key must be a string")),
            Some(b',') => {
                self.at += 1;
                match self.peek() {
                    Some(b'"') => Ok(true),
                    Some(b'}') => Err(Error::custom("trailing comma")),
                    Some(_) => Err(Error::custom("key must be a string")),
                    None => Err(ended("")),
                }
            }
            Some(_) => Err(Error::custom("expected `,` or `}`")),
            None => Err(ended("{")),
        }
    }

    /// Moves from a key to its value.
    #[inline(never)]
    pub(super) fn colon(&mut self) -> Result<(), Error> {
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Error::custom("expected `:`")),
            None => Err(ended("{")),
        }
    }

    /// Begins an enum. Returns true if it is a name alone, and false if it is an object of one
    /// member.
    #[inline(never)]
    pub(super) fn open_enum(&mut self) -> Result<bool, Error> {
        match self.peek() {
            Some(b'"') => Ok(true),
            Some(b'{') => {
                self.descend()?;
                match self.peek() {
                    Some(b'"') => Ok(false),
                    Some(b'}') => Err(Error::custom("expected value")),
                    Some(_) => Err(Error::custom("key must be a string")),
                    None => Err(ended("")),
                }
            }
            Some(_) => Err(Error::custom("expected value")),
            None => Err(ended("")),
        }
    }

    /// Ends it. After an error of the content, which is the one to tell, it cannot fail.
    #[inline(never)]
    pub(super) fn close_enum(&mut self, is_name: bool, has_failed: bool) -> Result<(), Error> {
        if is_name {
            return Ok(());
        }
        self.depth -= 1;
        if has_failed {
            return Ok(());
        }
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Error::custom("expected value")),
            None => Err(ended("{")),
        }
    }

    /// A string that is needed only until the next value is read.
    #[inline(never)]
    pub(super) fn string(&mut self, expected: &dyn Expected) -> Result<&str, Error> {
        Ok(match self.text(expected)? {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => {
                self.unescaped = text;
                &self.unescaped
            }
        })
    }

    /// Goes past the quote before a key that is a number.
    #[inline(never)]
    pub(super) fn open_number(&mut self) -> Result<(), Error> {
        self.at += 1;
        match self.text.as_bytes().get(self.at) {
            Some(b'-' | b'0'..=b'9') => Ok(()),
            _ => Err(Error::custom("invalid value: expected key to be a number in quotes")),
        }
    }

    /// Goes past the quote behind it.
    #[inline(never)]
    pub(super) fn close_number(&mut self) -> Result<(), Error> {
        match self.text.as_bytes().get(self.at) {
            Some(b'"') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(Error::custom("expected `\"`")),
        }
    }

    fn descend(&mut self) -> Result<(), Error> {
        // As deep as serde_json reads.
        const DEEPEST: usize = 127;
        if self.depth >= DEEPEST {
            return Err(Error::custom("recursion limit exceeded"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }
}

/// The text has ended inside of what this opens.
#[cold]
pub(super) fn ended(open: &str) -> Error {
    let error = open.parse::<Value>().err();
    error.map_or_else(|| Error::custom("the text has ended"), Error::from)
}
