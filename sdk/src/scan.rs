//! Finds the parts of a JSON text without decoding them, and decodes strings where asked to.
//!
//! A cursor checks the punctuation of the object that it walks and skips values by their brackets
//! and quotes alone; the grammar of a value is checked where it is decoded. So a scan is cheap
//! enough for every message, and it finds the id of a broken one.

mod escape;
mod string;
mod plain;
#[cfg(feature = "agent")]
mod raw;

use std::borrow::Cow;

use memchr::memchr2;
use plain::plain_length;
use serde::de::IgnoredAny;
use string::string_end;

#[cfg(feature = "agent")]
pub(crate) use escape::escape;
#[cfg(feature = "agent")]
pub(crate) use raw::raw_members;
#[cfg(feature = "agent")]
pub(crate) use string::{decoded, string_stop};
pub(crate) use string::{leading_string, must_escape, plain_string, string};

/// The text does not have the expected form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Walks the members of one JSON object.
#[derive(Debug, Clone)]
pub(crate) struct Members<'a> {
    text: &'a str,
    at: usize,
    first: bool,
}

impl<'a> Members<'a> {
    /// Starts at the brace that opens the object. [`Members::finish`] checks what follows it.
    pub(crate) fn of(text: &'a str) -> Result<Self, Malformed> {
        let at = skip_space(text.as_bytes(), 0);
        match text.as_bytes().get(at) {
            Some(b'{') => Ok(Self { text, at: at + 1, first: true }),
            _ => Err(Malformed),
        }
    }

    /// The next key, as it stands between its quotes (see [`unescape`]), or `None` after the
    /// closing brace.
    pub(crate) fn key(&mut self) -> Result<Option<&'a str>, Malformed> {
        let bytes = self.text.as_bytes();
        let mut at = skip_space(bytes, self.at);
        match bytes.get(at) {
            Some(b',') if !self.first => at = skip_space(bytes, at + 1),
            Some(b'}') => {
                self.at = at + 1;
                return Ok(None);
            }
            Some(_) if self.first => {}
            _ => return Err(Malformed),
        }
        if bytes.get(at) != Some(&b'"') {
            return Err(Malformed);
        }
        let end = string_end(bytes, at + 1).ok_or(Malformed)?;
        let key = self.text.get(at + 1..end - 1).ok_or(Malformed)?;
        at = skip_space(bytes, end);
        if bytes.get(at) != Some(&b':') {
            return Err(Malformed);
        }
        self.at = skip_space(bytes, at + 1);
        self.first = false;
        Ok(Some(key))
    }

    /// Like [`Members::key`], and faster if the next key is one of `likely`, which are written as
    /// `"key":`. The position of the next key then depends on no search, so that the processor
    /// reads ahead. A likely key that is written with escapes is returned without them.
    #[inline(always)]
    pub(crate) fn key_among(
        &mut self,
        likely: &[&'static str],
    ) -> Result<Option<&'a str>, Malformed> {
        if let Some(member) = self.next_member() {
            for key in likely {
                if let Some(value) = member.strip_prefix(key) {
                    self.enter(value);
                    return Ok(key.get(1..key.len() - 2));
                }
            }
        }
        let key = self.key()?;
        Ok(key.map(|key| likely_name(key, likely).unwrap_or(key)))
    }

    /// Moves to the value of the next member and returns true, if its key is `name` and is written
    /// as `"name":`. Otherwise nothing has moved, and [`Members::key`] reads the key.
    pub(crate) fn skip_key(&mut self, name: &str) -> bool {
        let member = self.next_member().filter(|member| member.starts_with('"'));
        let member = member.filter(|member| plain_string(member) == Some(name));
        let value = member.and_then(|member| member.get(name.len() + 2..)?.strip_prefix(':'));
        value.inspect(|value| self.enter(value)).is_some()
    }

    /// Like [`Members::value`], and faster if the value is `likely`, a string with its quotes.
    #[inline(always)]
    pub(crate) fn value_among(&mut self, likely: &'static str) -> Result<&'a str, Malformed> {
        if self.rest().starts_with(likely) {
            self.at += likely.len();
            return Ok(likely);
        }
        self.value()
    }

    /// The text of the value of the key that was just read.
    #[inline]
    pub(crate) fn value(&mut self) -> Result<&'a str, Malformed> {
        let end = value_end(self.text.as_bytes(), self.at).ok_or(Malformed)?;
        let value = self.text.get(self.at..end).ok_or(Malformed)?;
        self.at = end;
        Ok(value)
    }

    /// The value of the key that was just read, if it is a small one whose grammar was checked on
    /// the way. Otherwise nothing has moved.
    pub(crate) fn plain(&mut self) -> Option<&'a str> {
        let value = self.rest().get(..plain_length(self.rest())?)?;
        self.at += value.len();
        Some(value)
    }

    /// The text from the value of the key that was just read to the end, for a reader that finds
    /// the end of the value itself.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips a value of `length` bytes, which was read from [`Members::rest`].
    pub(crate) fn advance(&mut self, length: usize) {
        self.at += length;
    }

    /// The position in the text: after the object, once [`Members::key`] has returned `None`.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Fails unless only white space follows the object.
    pub(crate) fn finish(&self) -> Result<(), Malformed> {
        match skip_space(self.text.as_bytes(), self.at) == self.text.len() {
            true => Ok(()),
            false => Err(Malformed),
        }
    }

    /// The text where the next member may begin, perhaps with white space. `None` unless the comma
    /// before it is the next character.
    #[inline(always)]
    fn next_member(&self) -> Option<&'a str> {
        if self.first { Some(self.rest()) } else { self.rest().strip_prefix(',') }
    }

    /// Moves to the value that `rest`, the end of the text, begins with, perhaps after white space.
    #[inline(always)]
    fn enter(&mut self, rest: &str) {
        self.at = skip_space(self.text.as_bytes(), self.text.len() - rest.len());
        self.first = false;
    }
}

/// Walks the elements of one JSON array, for a reader that finds the end of each element itself.
#[derive(Debug)]
pub(crate) struct Elements<'a> {
    text: &'a str,
    at: usize,
    first: bool,
}

impl<'a> Elements<'a> {
    /// Starts at the bracket that opens the array, which is the first character of the text.
    pub(crate) fn of(text: &'a str) -> Result<Self, Malformed> {
        match text.as_bytes().first() {
            Some(b'[') => Ok(Self { text, at: 1, first: true }),
            _ => Err(Malformed),
        }
    }

    /// Moves to the next element; returns false after the closing bracket.
    pub(crate) fn next(&mut self) -> Result<bool, Malformed> {
        let bytes = self.text.as_bytes();
        self.at = skip_space(bytes, self.at);
        match bytes.get(self.at) {
            Some(b']') => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !self.first => self.at = skip_space(bytes, self.at + 1),
            Some(_) if self.first => {}
            _ => return Err(Malformed),
        }
        self.first = false;
        Ok(true)
    }

    /// The text from the element to the end.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips the element, which has `length` bytes.
    pub(crate) fn advance(&mut self, length: usize) {
        self.at += length;
    }

    /// The position in the text: after the array, once [`Elements::next`] has returned false.
    pub(crate) fn position(&self) -> usize {
        self.at
    }
}

/// The raw texts of an array's elements, up to the first that is broken. White space of JSON, which
/// is not all that of Unicode, may stand before the array.
pub(crate) fn elements(text: &str) -> Result<impl Iterator<Item = &str>, Malformed> {
    let start = skip_space(text.as_bytes(), 0);
    let mut elements = Elements::of(text.get(start..).unwrap_or_default())?;
    Ok(std::iter::from_fn(move || {
        let element = match elements.next() {
            Ok(true) => value(elements.rest())?,
            _ => return None,
        };
        elements.advance(element.len());
        Some(element)
    }))
}

/// The value at the start of a text.
pub(crate) fn value(text: &str) -> Option<&str> {
    text.get(..value_end(text.as_bytes(), 0)?)
}

/// The raw value of the member `name`, the last one if there are several. `None` also if `object`
/// is not an object or is broken before the member.
pub(crate) fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut members = Members::of(object).ok()?;
    let mut found = None;
    while let Ok(Some(key)) = members.key() {
        let Ok(value) = members.value() else { break };
        if key == name || unescape(key) == name {
            found = Some(value);
        }
    }
    found
}

/// The text of the member `name`, if it is a string; see [`member`].
pub(crate) fn text<'a>(object: &'a str, name: &str) -> Option<Cow<'a, str>> {
    member(object, name).and_then(string)
}

/// Passes the raw value of each member to `take`, with its name.
///
/// # Errors
///
/// `object` is not an object, or is broken behind the members that were passed.
#[cfg(feature = "sessions")]
pub(crate) fn each_member<'a>(
    object: &'a str,
    mut take: impl FnMut(&str, &'a str),
) -> Result<(), Malformed> {
    let mut members = Members::of(object)?;
    while let Some(key) = members.key()? {
        take(&unescape(key), members.value()?);
    }
    Ok(())
}

/// A key, from the text between its quotes, with its escapes decoded.
pub(crate) fn unescape(key: &str) -> Cow<'_, str> {
    match key.bytes().any(|byte| byte == b'\\') {
        false => key.into(),
        true => string(&format!("\"{key}\"")).map_or(key.into(), |key| key.into_owned().into()),
    }
}

/// True if the text is one JSON value. Unlike the scan, this checks the whole grammar.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// A JSON text on one line, as a message is. JSON strings have no raw line ends, so those that a
/// text has are white space.
pub(crate) fn on_one_line(json: String) -> String {
    match memchr2(b'\n', b'\r', json.as_bytes()) {
        Some(_) => json.replace(['\n', '\r'], " "),
        None => json,
    }
}

/// A key as one step of a JSON pointer (RFC 6901).
pub(crate) fn escape_pointer(key: &str) -> Cow<'_, str> {
    if !key.contains(['~', '/']) {
        return key.into();
    }
    let mut step = String::new();
    for letter in key.chars() {
        match letter {
            '~' => step.push_str("~0"),
            '/' => step.push_str("~1"),
            _ => step.push(letter),
        }
    }
    step.into()
}

/// The likely key that `key` is with its escapes decoded; see [`Members::key_among`].
fn likely_name(key: &str, likely: &[&'static str]) -> Option<&'static str> {
    let decoded = key.as_bytes().contains(&b'\\').then(|| unescape(key))?;
    for key in likely {
        let name = key.get(1..key.len() - 2)?;
        if name == decoded {
            return Some(name);
        }
    }
    None
}

/// The first position from `at` on without white space. Most texts have none between tokens.
#[inline]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

#[inline]
fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => string_end(bytes, at + 1),
        b'{' | b'[' => nested_end(bytes, at),
        _ => {
            let ends = |byte: &u8| *byte <= b' ' || matches!(byte, b',' | b'}' | b']');
            let length = bytes.get(at..)?.iter().position(ends).unwrap_or(bytes.len() - at);
            (length > 0).then_some(at + length)
        }
    }
}

fn nested_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    loop {
        let byte = *bytes.get(at)?;
        #[cfg(test)]
        STEPS.set(STEPS.get() + 1);
        at += 1;
        match byte {
            b'"' => at = string_end(bytes, at)?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
thread_local! {
    /// How many bytes of arrays and objects this thread has skipped, without those of strings.
    pub(crate) static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests;
