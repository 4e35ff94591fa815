//! What a type says about the other members, where it has refused one before it came to them.
//!
//! A decoder stops at the first value that it refuses. If that value stands last in its object, all
//! others are decoded before; so the text is read again with what was refused moved to the end.

use super::decoder::{Cursor, Error};
use super::trace::{self, Path};
use crate::mcp::words::begin_member;
use crate::scan::{self, Elements, Members};

/// The longest text that is read again, so that the work is bounded.
pub(super) const LARGEST: usize = 16 * 1024;

/// A value that was refused, in a text in which everything that could be is decoded before it.
pub(super) struct Sibling {
    pub(super) text: String,
    pub(super) pointer: String,
    pub(super) parts: Vec<usize>,
    pub(super) message: String,
}

/// What a type refuses in the value at the start of `text`, beginning with the failure that is
/// known. Of a longer text this is nothing.
pub(super) fn siblings(
    text: &str,
    decode: &mut dyn FnMut(&mut Cursor<'_>) -> Result<(), Error>,
) -> Vec<Sibling> {
    const MOST: usize = 8;
    let mut found: Vec<Sibling> = Vec::new();
    let value = Some(text).filter(|text| text.len() <= LARGEST).and_then(scan::value);
    let mut text = value.map(str::to_owned);
    while let Some(read) = text.take() {
        let Err(failure) = trace::read(&read, decode) else { break };
        let Path { pointer, parts } = failure.path(&read);
        let is_known = found.iter().any(|known| known.pointer == pointer);
        if !is_known && !parts.is_empty() && found.len() < MOST {
            text = moved(&read, &parts);
        }
        found.push(Sibling { text: read, pointer, parts, message: failure.clipped() });
    }
    found
}

/// The value with the part at the end of this way as the last member of every object around it.
fn moved(text: &str, parts: &[usize]) -> Option<String> {
    let Some((refused, inside)) = parts.split_first() else {
        return scan::value(text).map(str::to_owned);
    };
    let mut at = 0;
    if text.starts_with('{') {
        let (mut members, mut out, mut last) = (Members::of(text).ok()?, String::from("{"), None);
        while let Some(key) = members.key().ok()? {
            let value = scan::value(members.rest())?;
            if at == *refused {
                last = Some((key, moved(value, inside)?));
            } else {
                begin_member(&mut out, key);
                out.push_str(value);
            }
            members.advance(value.len());
            at += 1;
        }
        let (key, value) = last?;
        begin_member(&mut out, key);
        Some(out + &value + "}")
    } else {
        let (mut elements, mut out) = (Elements::of(text).ok()?, String::from("["));
        while elements.next().ok()? {
            if at > 0 {
                out.push(',');
            }
            let value = scan::value(elements.rest())?;
            match at == *refused {
                true => out.push_str(&moved(value, inside)?),
                false => out.push_str(value),
            }
            elements.advance(value.len());
            at += 1;
        }
        Some(out + "]")
    }
}
