//! Completion of the arguments of prompts and of the variables of resource templates.

mod values;
mod completer;
mod decoder;

pub(crate) use completer::Completer;
pub use completer::Completing;
pub(crate) use decoder::write_nothing;
pub use values::{Found, IntoValues, found, kind};

#[cfg(test)]
mod tests;
