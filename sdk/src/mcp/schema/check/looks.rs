//! The bound of the work of a check.

use std::cell::Cell;

use super::part::Part;

/// How many comparisons of a part with a schema a check may make: a fixed number, and a number for
/// each part of the value.
const LOOKS: (usize, usize) = (50_000, 32);

/// The comparisons that one or more checks may still make.
#[derive(Debug)]
pub(crate) struct Looks(Cell<usize>);

impl Looks {
    pub(crate) fn new(looks: usize) -> Self {
        Self(Cell::new(looks))
    }

    /// As many as a value needs.
    pub(super) fn at(value: &Part<'_>) -> Self {
        Self::new(value.count().saturating_mul(LOOKS.1).saturating_add(LOOKS.0))
    }

    pub(super) fn spend(&self, looks: usize) {
        self.0.set(self.0.get().saturating_sub(looks));
    }

    pub(super) fn are_spent(&self) -> bool {
        self.0.get() == 0
    }
}
