//! Completion of the arguments of prompts and of the variables of resource templates.

mod completer;
mod decoder;

pub(crate) use completer::Completer;
pub use completer::{Completing, Values};
pub(crate) use decoder::write_nothing;
