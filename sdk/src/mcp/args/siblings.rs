//! What a type says about the other members, where it has refused one before it came to them.
//!
//! A decoder stops at the first value that it refuses. If that value stands last in its object, all
//! others are decoded before; so the text is read again with what was refused moved to the end.

use super::decoder::{Cursor, Error};
use super::trace::{self, Path};
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
        text =
            moved(&read, &parts).filter(|_| !is_known && !parts.is_empty() && found.len() < MOST);
        found.push(Sibling { text: read, pointer, parts, message: failure.clipped() });
    }
    found
}

/// The value with the part at the end of this way as the last member of every object around it.
fn moved(text: &str, parts: &[usize]) -> Option<String> {
    let Some((refused, inside)) = parts.split_first() else {
        return scan::value(text).map(str::to_owned);
    };
    let (mut out, mut last) = (String::with_capacity(text.len()), None);
    if text.starts_with('{') {
        let (mut members, mut at) = (Members::of(text).ok()?, 0);
        while let Some(key) = members.key().ok()? {
            let value = scan::value(members.rest())?;
            match at == *refused {
                true => last = Some(format!("\"{key}\":{}", moved(value, inside)?)),
                false => out.extend([",\"", key, "\":", value]),
            }
            members.advance(value.len());
            at += 1;
        }
        out.extend([",", &last?]);
        Some(format!("{{{}}}", out.get(1..)?))
    } else {
        let (mut elements, mut at) = (Elements::of(text).ok()?, 0);
        while elements.next().ok()? {
            let value = scan::value(elements.rest())?;
            match at == *refused {
                true => out.extend([",", &moved(value, inside)?]),
                false => out.extend([",", value]),
            }
            elements.advance(value.len());
            at += 1;
        }
        Some(format!("[{}]", out.get(1..)?))
    }
}
