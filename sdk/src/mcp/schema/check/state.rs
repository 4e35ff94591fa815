//! The state of a check.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::super::bounds::Rules;
use super::super::keyword::{pointed, text};
use super::super::open::same;
use super::super::problem::{MOST, Problem, step};
use super::looks::Looks;
use super::part::{Aliases, Part, Reading};
use super::words::shown;

/// How many schemas may lead to one another for the same value, and how many may be open at once:
/// a schema by hand can combine thousands, and the stack ends.
const DEEPEST: (usize, usize) = (32, 512);

/// A check of a value.
pub(super) struct Check<'a> {
    pub(super) root: &'a Value,
    pub(super) reading: Reading,
    pub(super) aliases: Aliases,
    pub(super) pointer: String,
    pub(super) found: Vec<Problem>,
    pub(super) shared: &'a Shared<'a>,
}

/// What a check has in common with those of the alternatives that it tries.
pub(super) struct Shared<'a> {
    pub(super) looks: &'a Looks,
    pub(super) known: RefCell<Known>,
    /// The values that are being checked and the schemas that they are checked by, by their places
    /// in memory.
    pub(super) open: RefCell<Vec<(usize, usize)>>,
}

/// The bounds of the schemas that were met.
#[derive(Default)]
pub(super) struct Known {
    rules: Vec<Rc<Rules>>,
    /// Where in `rules` they are, by the places of the schemas in memory. The second number is
    /// always 0: a map of pairs is compiled for the other check already.
    places: HashMap<(usize, usize), usize>,
}

impl<'a> Check<'a> {
    /// Follows references.
    pub(super) fn resolve(&self, mut schema: &'a Value) -> Option<&'a Map<String, Value>> {
        for _ in 0..8 {
            let members = schema.as_object()?;
            let Some(reference) = text(members, "$ref") else { return Some(members) };
            schema = pointed(self.root, reference)?;
        }
        None
    }

    pub(super) fn rules(&self, schema: &'a Map<String, Value>) -> Rc<Rules> {
        let place = (std::ptr::from_ref(schema) as usize, 0);
        let mut known = self.shared.known.borrow_mut();
        if let Some(at) = known.places.get(&place) {
            return known.rules[*at].clone();
        }
        let (rules, at) = (Rc::new(Rules::of(schema)), known.rules.len());
        known.places.insert(place, at);
        known.rules.push(rules.clone());
        rules
    }

    /// Begins to check a value, unless the schema has led back to itself: then it says no more.
    pub(super) fn begin(&self, schema: &Map<String, Value>, value: &Part<'_>) -> bool {
        let value = std::ptr::from_ref(value) as usize;
        let schema = std::ptr::from_ref(schema) as usize;
        let mut open = self.shared.open.borrow_mut();
        let (same, is_open) = same(&open, value, schema);
        let begins = !is_open && same < DEEPEST.0 && open.len() < DEEPEST.1;
        if begins {
            open.push((value, schema));
        }
        begins
    }

    pub(super) fn end(&self) {
        self.shared.open.borrow_mut().pop();
    }

    /// Extends the pointer by one step. Returns its length before.
    pub(super) fn enter(&mut self, name: &str) -> usize {
        let outer = self.pointer.len();
        self.pointer.push_str(&step(name));
        outer
    }

    pub(super) fn expected(&mut self, expected: &str, got: &Part<'_>) {
        self.problem(format!("expected {expected}, got {}", shown(got)));
    }

    pub(super) fn problem(&mut self, text: String) {
        if self.found.len() <= MOST {
            self.found.push(Problem { pointer: self.pointer.clone(), text });
        }
    }

    /// Reports a problem of a member.
    pub(super) fn problem_below(&mut self, name: &str, text: String) {
        let outer = self.enter(name);
        self.problem(text);
        self.pointer.truncate(outer);
    }

    /// Counts a look at a value of so many bytes.
    pub(super) fn look(&self, bytes: usize) {
        const BYTES: usize = 1024;
        self.shared.looks.spend(1 + bytes / BYTES);
    }

    /// True if the answer would not name further problems.
    pub(super) fn is_enough(&self) -> bool {
        self.found.len() > MOST || self.shared.looks.are_spent()
    }
}
