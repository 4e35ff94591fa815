//! Problems, and the state of a check that finds them.

use std::cell::Cell;
use std::fmt;

use serde_json::{Map, Value};

use super::words::shown;

/// One problem of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where, as a JSON pointer; empty for the value itself.
    pub(crate) pointer: String,
    pub(crate) text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.is_empty() {
            true => f.write_str(&self.text),
            false => write!(f, "{}: {}", self.pointer, self.text),
        }
    }
}

/// The meaning of null for an optional property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// The absence of the property, as some models write it and as `Option` takes it.
    Absence,
    /// A value like any other.
    Value,
}

/// The most problems that an answer names. A check finds one more, so that the answer can add that
/// there are more.
pub(crate) const MOST: usize = 50;

/// A check of a value.
pub(super) struct Check<'a> {
    pub(super) root: &'a Value,
    pub(super) null: Null,
    pub(super) pointer: String,
    pub(super) found: Vec<Problem>,
    /// How many more comparisons the check may make.
    pub(super) looks: &'a Cell<usize>,
}

/// The list under a keyword; empty for any other value.
pub(super) fn items<'a>(schema: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

impl<'a> Check<'a> {
    /// Follows references.
    pub(super) fn resolve(&self, mut schema: &'a Value) -> Option<&'a Map<String, Value>> {
        for _ in 0..8 {
            let members = schema.as_object()?;
            let Some(reference) = members.get("$ref").and_then(Value::as_str) else {
                return Some(members);
            };
            schema = self.root.pointer(reference.strip_prefix('#')?)?;
        }
        None
    }

    /// Runs `f` with the pointer extended by one step.
    pub(super) fn below(&mut self, step: &str, f: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&crate::scan::escape_pointer(step));
        f(self);
        self.pointer.truncate(length);
    }

    pub(super) fn expected(&mut self, expected: &str, got: &Value) {
        self.problem(format!("expected {expected}, got {}", shown(got)));
    }

    pub(super) fn problem(&mut self, text: String) {
        if self.found.len() <= MOST {
            self.found.push(Problem { pointer: self.pointer.clone(), text });
        }
    }

    /// True if the answer would not name further problems.
    pub(super) fn is_enough(&self) -> bool {
        self.found.len() > MOST || self.looks.get() == 0
    }
}
