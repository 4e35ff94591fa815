//! Decodes values, and finds the place of an error.
//!
//! serde_json tells how far it has read, which is not the place of every error: a missing field is
//! noticed at the end of its object, and a type that refuses what it has read says so later still.
//! So a value that is refused is decoded again with wrapped accesses to arrays and objects. Each
//! counts its parts, and notes the count if an error passes through it.

mod tracked;

use std::cell::RefCell;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};

use crate::mcp::schema::step;
use crate::scan::{Elements, Members};
use tracked::{Steps, Tracked};

/// Why a value was refused, and where.
#[doc(hidden)]
#[derive(Debug)]
pub struct Failure {
    pub(super) message: String,
    /// Which part of which part, the innermost first.
    steps: Vec<usize>,
}

/// Decodes the value at the start of `json`, and finds its end in the same pass.
pub(super) fn read<T: DeserializeOwned>(json: &str) -> Result<(T, usize), Failure> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter();
    match values.next() {
        Some(Ok(value)) => Ok((value, values.byte_offset())),
        _ => read_traced(json),
    }
}

#[cold]
fn read_traced<T: DeserializeOwned>(json: &str) -> Result<(T, usize), Failure> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Traced<T>>();
    match values.next() {
        Some(Ok(Traced(value))) => Ok((value?, values.byte_offset())),
        Some(Err(error)) => Err(Failure::new(&error)),
        None => Err(Failure::new(&"a value is missing")),
    }
}

impl Failure {
    /// A failure of a value itself.
    pub(super) fn new(error: &dyn std::fmt::Display) -> Self {
        let mut message = error.to_string();
        // The pointer replaces the position.
        message.truncate(message.rfind(" at line ").unwrap_or(message.len()));
        Self { message, steps: Vec::new() }
    }

    /// The place: which part of which part, the outermost first.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().rev().copied()
    }

    /// The place as a JSON pointer, from the text that was decoded.
    pub(super) fn pointer(&self, mut text: &str) -> String {
        let mut pointer = String::new();
        for part in self.parts() {
            let Some((name, inner)) = part_of(text.trim_start(), part) else { break };
            pointer.push_str(&name);
            text = inner;
        }
        pointer
    }
}

/// The name of a part of an array or object as a step of a pointer, and the text from there on.
fn part_of(text: &str, part: usize) -> Option<(String, &str)> {
    if let Ok(mut elements) = Elements::of(text) {
        for _ in 0..part {
            elements.next().ok().filter(|is_there| *is_there)?;
            elements.advance(crate::scan::value(elements.rest())?.len());
        }
        elements.next().ok().filter(|is_there| *is_there)?;
        return Some((format!("/{part}"), elements.rest()));
    }
    let mut members = Members::of(text).ok()?;
    for _ in 0..part {
        members.key().ok()??;
        members.value().ok()?;
    }
    let key = members.key().ok()??;
    Some((step(&crate::scan::unescape(key)), members.rest()))
}

/// A value, or why there is none. Its decoding never fails, so that the steps are not lost.
struct Traced<T>(Result<T, Failure>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Traced<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let steps = Steps(RefCell::default());
        let value = T::deserialize(Tracked::new(deserializer, &steps));
        Ok(Self(
            value.map_err(|error| Failure { steps: steps.0.into_inner(), ..Failure::new(&error) }),
        ))
    }
}

#[cfg(test)]
mod tests;
