//! The bounds of a schema, which hold for arguments that decode well.
//!
//! Decoding enforces types, required members and known names; a type may accept more than its
//! schema says, for example by an alias. What decoding does not know is checked here.

mod decimal;
mod equal;
mod pattern;
mod rules;
mod look;
mod names;
mod plan;
mod walk;

use std::sync::Arc;

use serde_json::Value;

use super::normalise::children;
use super::problem::Problem;
use decimal::Decimal;
use pattern::Pattern;
use plan::Plan;
use walk::Walk;

pub(crate) use equal::canonical;
pub(crate) use rules::Rules;

/// True if a regular expression matches a text, or is beyond what the matcher knows.
pub(crate) fn is_match(pattern: &str, text: &str) -> bool {
    Pattern::of(pattern).is_none_or(|pattern| pattern.is_match(text))
}

/// True if every text counts as one that the regular expression matches, as it is beyond what the
/// matcher knows.
pub(crate) fn is_unchecked(pattern: &str) -> bool {
    Pattern::of(pattern).is_none()
}

/// False if a text is no regular expression of ECMA-262 with the flag `u`.
pub(crate) fn is_pattern(text: &str) -> bool {
    Pattern::is_one(text)
}

/// False if a text is plainly no regular expression.
pub(crate) fn may_be_pattern(text: &str) -> bool {
    Pattern::may_be_one(text)
}

/// A whole number, however it is written, as an integer of at most so many characters.
pub(crate) fn integer(number: &str, most: usize) -> Option<String> {
    Decimal::of(number)?.integer(most)
}

/// The bounds of a tool's arguments. A clone is cheap.
#[derive(Debug, Clone)]
pub(crate) struct Bounds(Arc<Plan>);

impl Bounds {
    /// The bounds of a schema in which types are written out; in `named` those that have a name are
    /// references. `None` if there are none, so that calls without bounds cost nothing.
    pub(crate) fn of(schema: &Value, named: &Value) -> Option<Self> {
        Plan::of(schema, named).map(|plan| Self(plan.into()))
    }

    /// False if a schema has no bounds; quicker than [`Bounds::of`].
    pub(crate) fn may_be_in(schema: &Value) -> bool {
        let Value::Object(members) = schema else { return false };
        let is_choice = |key: &String| matches!(key.as_str(), "enum" | "const");
        let mut may_be = members.keys().any(is_choice) || !Rules::of(members).is_empty();
        children(members, |_, child| may_be = may_be || Self::may_be_in(child));
        may_be
    }

    /// What is wrong with arguments that were decoded from this text.
    pub(crate) fn arguments(&self, text: &str) -> Vec<Problem> {
        let mut walk = Walk::new(&self.0);
        let _ = walk.value(0, text.trim_ascii_start());
        walk.found
    }

    /// The same for one argument.
    pub(crate) fn argument(&self, name: &str, text: &str) -> Vec<Problem> {
        let mut walk = Walk::new(&self.0);
        let _ = walk.property(0, name, text);
        walk.found
    }
}
