//! Problems of arguments.

use std::fmt;

use serde_json::{Map, Value};

use super::keyword::items;
use crate::mcp::words::join;
use crate::scan;

/// The most problems that an answer names. A check finds one more, so that the answer can add that
/// there are more.
pub(crate) const MOST: usize = 50;

/// One problem of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where, as a JSON pointer; empty for the value itself.
    pub(crate) pointer: String,
    pub(crate) text: String,
}

impl Problem {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { pointer: String::new(), text: text.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.is_empty() {
            true => f.write_str(&self.text),
            false => write!(f, "{}: {}", self.pointer, self.text),
        }
    }
}

/// One step of a JSON pointer, from a key. Only the beginning of a very long key: an answer must
/// not repeat megabytes of the call.
pub(crate) fn step(key: &str) -> String {
    format!("/{}", scan::escape_pointer(&clipped(key, 100)))
}

/// True if the pointer `outer` leads to the value of `pointer` or to one around it.
pub(crate) fn is_within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The examples of a schema in words, after what is expected.
pub(super) fn such_as(schema: &Map<String, Value>) -> String {
    const MOST_EXAMPLES: usize = 4;
    let mut examples = Vec::new();
    for example in items(schema, "examples").iter().take(MOST_EXAMPLES) {
        examples.push(clipped(&example.to_string(), 60));
    }
    match examples.split_last() {
        None => String::new(),
        Some((only, [])) => format!(" such as {only}"),
        Some((last, others)) => format!(" such as {} or {last}", join(others, ", ")),
    }
}

/// The names or values of a list in words: the first ones, and how many there are beside them.
pub(super) fn joined(words: &[String], between: &str) -> String {
    const MOST_WORDS: usize = 100;
    match words.split_at_checked(MOST_WORDS) {
        Some((first, more)) if !more.is_empty() => {
            format!("{}{between}{} more", join(first, between), more.len())
        }
        _ => join(words, between),
    }
}

/// The JSON texts of values.
pub(super) fn texts(values: &[Value]) -> Vec<String> {
    let mut texts = Vec::with_capacity(values.len());
    for value in values {
        texts.push(value.to_string());
    }
    texts
}

/// A text of at most so many characters.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(3)).chain(['…']).collect(),
    }
}
