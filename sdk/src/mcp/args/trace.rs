//! Decodes values, and finds the place of an error.
//!
//! The cursor tells where it stands after an error, which is not the place of every error: it
//! leaves the arrays and objects around an error, and a type that refuses what it has read says so
//! later still. So a text that is refused is decoded again, cut off behind what was read last, then
//! behind the next bracket or comma, until the error is there again. The code that decodes a type
//! is large, and this way there is only one copy of it.

mod path;

use super::decoder::{Cursor, Error};
use crate::mcp::schema::clipped;

pub(super) use path::Path;

/// Decodes a value and keeps it, or keeps nothing.
type Decode<'a> = dyn FnMut(&mut Cursor<'_>) -> Result<(), Error> + 'a;

/// Why a value was refused, and where.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    /// How many bytes of the text had to be read for the failure.
    read: usize,
}

/// Decodes the value at the start of `json`, and finds its end in the same pass.
pub(super) fn read(json: &str, decode: &mut Decode<'_>) -> Result<usize, Failure> {
    let mut cursor = Cursor::new(json);
    match decode(&mut cursor) {
        Ok(()) => end(json, cursor.position()),
        Err(error) => Err(Failure::find(json, cursor.position(), &error, decode)),
    }
}

/// Where a decoder stands that has decoded a value. A number or a word must end there.
fn end(json: &str, at: usize) -> Result<usize, Failure> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
    let bytes = json.as_bytes();
    // An integer of 128 bits is read up to a point.
    let goes_on = bytes.get(at).is_some_and(|byte| is_word(byte) || *byte == b'.');
    let is_cut = goes_on && at > 0 && bytes.get(at - 1).is_some_and(is_word);
    // A type that passes over errors may stop in the middle of a character.
    match is_cut || !json.is_char_boundary(at) {
        true => Err(Failure { read: at, ..Failure::new(&"trailing characters") }),
        false => Ok(at),
    }
}

/// Where a text can be cut off: at `from`, and behind every bracket, comma and colon from there on.
fn marks(text: &str, from: usize) -> Vec<usize> {
    let mut marks = vec![from];
    for (at, byte) in text.bytes().enumerate().skip(from) {
        if matches!(byte, b'[' | b']' | b'{' | b'}' | b',' | b':') {
            marks.push(at + 1);
        }
    }
    marks
}

impl Failure {
    /// A failure of a value itself.
    pub(super) fn new(error: &dyn std::fmt::Display) -> Self {
        Self { message: error.to_string(), read: 0 }
    }

    /// `decode` has failed with the error, and stands at this position.
    #[cold]
    fn find(json: &str, stands: usize, error: &Error, decode: &mut Decode<'_>) -> Self {
        let failure = Self::new(error);
        // An array with too many elements; this is noticed at the first that is too many.
        if failure.message == "trailing characters" {
            return Self { read: stands, ..failure };
        }
        let mut is_early = |end: &usize| {
            let cut = json.get(..*end).unwrap_or_default();
            decode(&mut Cursor::new(cut)).err().is_none_or(|error| error.is_eof())
        };
        let before = json.get(..stands).unwrap_or(json);
        let last = before.trim_end_matches([']', '}', ',', ' ', '\t', '\r', '\n']).len();
        let begin = before[..last].rfind(['[', '{', ',', ':']).map_or(0, |at| at + 1);
        let ends = match is_early(&begin) {
            true => marks(before, last),
            // The type replaces the errors of its parts, so any cut through the value looks alike.
            false => marks(&before[..begin], 0),
        };
        let first = ends.get(ends.partition_point(&mut is_early));
        // What a shorter text has given must not be kept.
        is_early(&json.len());
        // An array or object that is refused as such is only looked at.
        Self { read: first.copied().unwrap_or(stands + 1), ..failure }
    }

    /// The message. Some repeat the value, whatever its size.
    pub(super) fn clipped(&self) -> String {
        clipped(&self.message, 500)
    }

    /// The place of the failure in the text that was decoded.
    pub(super) fn path(&self, text: &str) -> Path {
        Path::to(text, self.read)
    }
}

#[cfg(test)]
mod tests;
