//! Where JSON strings end, and what they say.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::escape::{escape, letter};

/// How many bytes vector instructions compare at once.
const CHUNK: usize = 16;

/// How many bytes are compared at once as one number. Most strings end in their first word.
const WORD: usize = 8;

/// The text of a JSON string, from its raw value with the quotes. `None` if it is not a string or
/// its escapes cannot be decoded. A string without escapes may have control characters, which JSON
/// forbids: a caller that has not checked the grammar asks [`is_json`](super::is_json) too.
pub(crate) fn string(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    let to = string_stop(raw.as_bytes(), 1)?;
    if to == raw.len() - 1 {
        return Some(inner.into());
    }
    let (text, end) = leading_string(raw)?;
    (end == raw.len()).then(|| text.into())
}

/// The text of the JSON string that `text` begins with, and the number of bytes that it has there.
/// `None` if it has no end, control characters, or escapes that stand for no character. The first
/// byte is taken to be the quote. Without escapes [`plain_string`] needs no copy.
pub(crate) fn leading_string(text: &str) -> Option<(String, usize)> {
    decoded(text, 1, must_escape(text.as_bytes(), 1)?, must_escape, None)
}

/// The text of the JSON string that `text` begins with, if it has neither escapes nor control
/// characters, so that what stands between its quotes is what it says.
pub(crate) fn plain_string(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let to = match in_words(bytes, 1, 1 + WORD, escapes) {
        Ok(to) => to,
        Err(at) => must_escape(bytes, at)?,
    };
    (bytes[to] == b'"').then(|| text.get(1..to))?
}

/// The text of the JSON string whose first byte is at `from` and whose first byte that does not
/// stand for itself is at `to`, and the position after its closing quote. It is decoded into its
/// own memory at once, as texts may be large. `next` finds the next byte that does not stand for
/// itself. Half of a character becomes `half`.
#[inline(never)]
pub(crate) fn decoded(
    raw: &str,
    mut from: usize,
    mut to: usize,
    next: impl Fn(&[u8], usize) -> Option<usize>,
    half: Option<char>,
) -> Option<(String, usize)> {
    let bytes = raw.as_bytes();
    let mut text = String::with_capacity(2 * (to - from));
    loop {
        text.push_str(raw.get(from..to)?);
        match bytes[to] {
            b'"' => return Some((text, to + 1)),
            b'\\' => {}
            _ => return None,
        }
        from = match letter(*bytes.get(to + 1)?) {
            Some(letter) => {
                text.push(letter);
                to + 2
            }
            None => {
                let (char, length) = escape(raw.get(to + 1..)?)?;
                text.push(char.or(half)?);
                to + 1 + length
            }
        };
        to = next(bytes, from)?;
    }
}

/// The position after the closing quote of the string whose first byte is at `at`.
#[inline]
pub(super) fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let start = at;
    at = match in_words(bytes, at, at + WORD, quotes) {
        Ok(at) => at,
        Err(at) => quote(bytes, at)?,
    };
    while bytes.get(at.wrapping_sub(1)) == Some(&b'\\') && is_escaped(&bytes[start..at]) {
        at = quote(bytes, at + 1)?;
    }
    Some(at + 1)
}

/// True if a quote behind these bytes of a string belongs to the string: an odd number of
/// backslashes is before it.
fn is_escaped(before: &[u8]) -> bool {
    let backslashes = before.iter().rev().position(|byte| *byte != b'\\');
    backslashes.unwrap_or(before.len()) % 2 == 1
}

/// The position of the first quote from `at` on.
#[inline]
fn quote(bytes: &[u8], at: usize) -> Option<usize> {
    // The search of memchr is faster than chunks, but only once it has begun.
    let long = at + 4 * CHUNK;
    let at = skipped(bytes, at, long, |byte| byte == b'"');
    if at == long {
        return Some(at + memchr(b'"', bytes.get(at..)?)?);
    }
    match in_words(bytes, at, usize::MAX, quotes) {
        Ok(at) => Some(at),
        Err(at) => Some(at + bytes.get(at..)?.iter().position(|byte| *byte == b'"')?),
    }
}

/// The position of the first quote or backslash from `at` on.
#[inline]
pub(crate) fn string_stop(bytes: &[u8], at: usize) -> Option<usize> {
    // A vector search is slower on short strings, which most are.
    let long = at + 6 * WORD;
    let is_stop = |byte| matches!(byte, b'"' | b'\\');
    match in_words(bytes, at, long, |word| quotes(word) | zero_bytes(word ^ repeat(b'\\'))) {
        Ok(at) => Some(at),
        Err(at) if at < long => Some(at + bytes.get(at..)?.iter().position(|byte| is_stop(*byte))?),
        Err(at) => Some(at + memchr2(b'"', b'\\', bytes.get(at..)?)?),
    }
}

/// The position of the first byte from `at` on that a JSON string must escape: a quote, a backslash
/// or a control character.
pub(crate) fn must_escape(bytes: &[u8], at: usize) -> Option<usize> {
    // With `||` it would have branches.
    let is_escaped = |byte| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    let at = skipped(bytes, at, usize::MAX, is_escaped);
    match in_words(bytes, at, usize::MAX, escapes) {
        Ok(at) => Some(at),
        Err(at) => Some(at + bytes.get(at..)?.iter().position(|byte| is_escaped(*byte))?),
    }
}

/// The position after the chunks from `at` to `end` in which no byte is a hit. The compiler makes
/// vector instructions of this, as it has no branch for each byte.
#[inline(always)]
fn skipped(bytes: &[u8], mut at: usize, end: usize, is_hit: impl Fn(u8) -> bool) -> usize {
    let chunk = |at: usize| bytes.get(at..)?.first_chunk::<CHUNK>();
    let is_clean = |chunk: &[u8; CHUNK]| !chunk.iter().fold(false, |any, byte| any | is_hit(*byte));
    while at < end && chunk(at).is_some_and(is_clean) {
        at += CHUNK;
    }
    at
}

/// The position of the first hit from `at` on, looked for in eight bytes at a time until `end`, or
/// where to look on.
#[inline(always)]
fn in_words(
    bytes: &[u8],
    mut at: usize,
    end: usize,
    hits: impl Fn(u64) -> u64,
) -> Result<usize, usize> {
    while at < end
        && let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<WORD>())
    {
        let hits = hits(u64::from_le_bytes(*word));
        if hits != 0 {
            return Ok(at + (hits.trailing_zeros() / u8::BITS) as usize);
        }
        at += WORD;
    }
    Err(at)
}

/// Sets the highest bit of the first quote.
fn quotes(word: u64) -> u64 {
    zero_bytes(word ^ repeat(b'"'))
}

/// Sets the highest bit of the first byte that a JSON string must escape.
fn escapes(word: u64) -> u64 {
    let controls = word.wrapping_sub(repeat(b' ')) & !word & repeat(0x80);
    // The lowest bit of each term is right, and so is the lowest bit of all.
    controls | zero_bytes(word ^ repeat(b'"')) | zero_bytes(word ^ repeat(b'\\'))
}

/// Eight bytes that are all the same.
const fn repeat(byte: u8) -> u64 {
    u64::from_le_bytes([byte; WORD])
}

/// Sets the highest bit of the first byte that is zero. Bits of later bytes may be wrong.
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(repeat(1)) & !word & repeat(0x80)
}

#[cfg(test)]
mod tests;
