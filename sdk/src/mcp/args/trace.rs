//! Decodes values, and finds the place of an error.
//!
//! serde_json tells where it stands after an error, which is not the place of every error: it
//! leaves the arrays and objects around an error, and a type that refuses what it has read says so
//! later still. So a text that is refused is decoded again, cut off behind what was read last, then
//! behind the next bracket or comma, until the error is there again. The code that decodes a type
//! is large, and this way there is only one copy of it.

mod path;

use serde::de::DeserializeOwned;
use serde_json::Error;
use serde_json::de::StrRead;

pub(super) use path::Path;

type Decoder<'a> = serde_json::Deserializer<StrRead<'a>>;

/// Why a value was refused, and where.
#[doc(hidden)]
#[derive(Debug)]
pub struct Failure {
    pub(super) message: String,
    /// How many bytes of the text had to be read for the failure.
    read: usize,
}

/// Decodes the value at the start of `json`, and finds its end in the same pass.
pub(super) fn read<T: DeserializeOwned>(json: &str) -> Result<(T, usize), Failure> {
    let mut decoder = Decoder::from_str(json);
    match decode::<T>(&mut decoder) {
        Ok(value) => end(decoder, json).map(|end| (value, end)),
        Err(error) => Err(Failure::find(json, decoder, &error, |json| {
            decode::<T>(&mut Decoder::from_str(json)).err()
        })),
    }
}

/// The only place where the code that decodes a type is used, as the compiler would copy it.
#[inline(never)]
fn decode<T: DeserializeOwned>(decoder: &mut Decoder<'_>) -> Result<T, Error> {
    T::deserialize(decoder)
}

/// Where a decoder stands that has decoded a value. A number or a word must end there.
fn end(decoder: Decoder<'_>, json: &str) -> Result<usize, Failure> {
    let at = position(decoder);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
    let bytes = json.as_bytes();
    // An integer of 128 bits is read up to a point.
    let goes_on = bytes.get(at).is_some_and(|byte| is_word(byte) || *byte == b'.');
    match goes_on && at > 0 && bytes.get(at - 1).is_some_and(is_word) {
        true => Err(Failure { read: at, ..Failure::new(&"trailing characters") }),
        false => Ok(at),
    }
}

/// Where a text can be cut off: at `from`, and behind every bracket, comma and colon from there on.
fn marks(text: &str, from: usize) -> Vec<usize> {
    let is_mark = |byte: &u8| matches!(byte, b'[' | b']' | b'{' | b'}' | b',' | b':');
    let bytes = text.as_bytes().iter().enumerate().skip(from);
    let behind = bytes.filter(|(_, byte)| is_mark(byte)).map(|(at, _)| at + 1);
    std::iter::once(from).chain(behind).collect()
}

fn position(decoder: Decoder<'_>) -> usize {
    decoder.into_iter::<()>().byte_offset()
}

impl Failure {
    /// A failure of a value itself.
    pub(super) fn new(error: &dyn std::fmt::Display) -> Self {
        let mut message = error.to_string();
        // The pointer replaces the position.
        message.truncate(message.rfind(" at line ").unwrap_or(message.len()));
        Self { message, read: 0 }
    }

    /// `again` decodes a text, as `decoder` has decoded `json`.
    #[cold]
    fn find(
        json: &str,
        decoder: Decoder<'_>,
        error: &Error,
        again: fn(&str) -> Option<Error>,
    ) -> Self {
        let failure = Self::new(error);
        let stands = position(decoder);
        // An array with too many elements; this is noticed at the first that is too many.
        if failure.message == "trailing characters" {
            return Self { read: stands, ..failure };
        }
        let is_early = |end: &usize| match json.get(..*end).map(again) {
            Some(Some(error)) => error.is_eof(),
            _ => true,
        };
        let before = json.get(..stands).unwrap_or(json);
        let last = before.trim_end_matches([']', '}', ',', ' ', '\t', '\r', '\n']).len();
        let begin = before[..last].rfind(['[', '{', ',', ':']).map_or(0, |at| at + 1);
        let ends = match is_early(&begin) {
            true => marks(before, last),
            // The type replaces the errors of its parts, so any cut through the value looks alike.
            false => marks(&before[..begin], 0),
        };
        let first = ends.get(ends.partition_point(is_early));
        // An array or object that is refused as such is only looked at.
        Self { read: first.copied().unwrap_or(stands + 1), ..failure }
    }

    /// The place of the failure in the text that was decoded.
    pub(super) fn path(&self, text: &str) -> Path {
        Path::to(text, self.read)
    }
}

#[cfg(test)]
mod tests;
