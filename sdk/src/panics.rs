//! Panics of the user's code: caught, and told in words.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code of the user's; gives what a panic in it said.
pub(crate) fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| message(&*panic).to_owned())
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
