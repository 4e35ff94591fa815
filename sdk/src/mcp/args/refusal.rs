//! Why arguments are refused while they are decoded.

use crate::scan;

/// One reason to refuse the arguments.
pub(super) struct Refusal {
    /// The name of the argument; empty for all arguments together.
    pub(super) name: String,
    pub(super) reason: Reason,
}

pub(super) enum Reason {
    /// It is missing or unknown, or the text is not JSON. The details are found later.
    FoundAgain,
    /// The name is there more than once.
    Twice,
    /// The type refused the value: where, as a JSON pointer relative to the argument, and why.
    Type { pointer: String, message: String },
}

impl Refusal {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), reason: Reason::FoundAgain }
    }

    pub(super) fn twice(name: &str) -> Self {
        Self { reason: Reason::Twice, ..Self::new(name) }
    }

    /// `text` begins with the value that was being decoded.
    pub(super) fn by_type(name: &str, text: &str, error: &serde_json::Error) -> Self {
        // serde_json counts columns from 1, and its position is after the token that it refused.
        let pointer = scan::pointer_at(text, error.column().saturating_sub(2));
        Self { reason: Reason::Type { pointer, message: message(error) }, ..Self::new(name) }
    }
}

/// The message without its position; the pointer replaces it.
pub(super) fn message(error: &serde_json::Error) -> String {
    let mut message = error.to_string();
    message.truncate(message.rfind(" at line ").unwrap_or(message.len()));
    message
}
