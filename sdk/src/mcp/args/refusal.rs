//! Why arguments are refused while they are decoded.

use super::parameter::Parameter;
use super::siblings::Sibling;
use super::trace::{Failure, Path};

/// One reason to refuse the arguments.
pub(super) struct Refusal {
    /// The name of the argument; empty for all arguments together.
    pub(super) name: String,
    pub(super) reason: Reason,
    /// What the type said when it was asked again, if it was.
    pub(super) again: Vec<Sibling>,
}

pub(super) enum Reason {
    /// It is missing or unknown, or the text is not JSON. The details are found later.
    FoundAgain,
    /// The name is there more than once.
    Twice,
    /// The type refused the value: where, as a JSON pointer relative to the argument and as the
    /// numbers of its parts, the outermost first; and why.
    Type { pointer: String, parts: Vec<usize>, message: String },
}

impl Refusal {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), reason: Reason::FoundAgain, again: Vec::new() }
    }

    pub(super) fn twice(name: &str) -> Self {
        Self { reason: Reason::Twice, ..Self::new(name) }
    }

    /// `text` begins with the value that was being decoded.
    pub(super) fn by_type(name: &str, text: &str, failure: &Failure) -> Self {
        let message = failure.clipped();
        let Path { pointer, parts } = failure.path(text);
        Self { reason: Reason::Type { pointer, parts, message }, ..Self::new(name) }
    }

    /// The same for a member. What a type says about a secret value is forgotten.
    pub(super) fn of_member(parameter: &Parameter, text: &str, failure: &Failure) -> Self {
        let mut refusal = Self::by_type(parameter.name, text, failure);
        if let (true, Reason::Type { message, .. }) = (parameter.is_secret, &mut refusal.reason) {
            message.clear();
        }
        refusal
    }

    /// What the type said.
    pub(super) fn message(&self) -> Option<&str> {
        match &self.reason {
            Reason::Type { message, .. } => Some(message),
            _ => None,
        }
    }

    /// The parts through which the decoder came to what it refused.
    pub(super) fn parts(&self) -> &[usize] {
        match &self.reason {
            Reason::Type { parts, .. } => parts,
            _ => &[],
        }
    }
}
