//! Panics in user code: caught, and turned into text.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs user code and returns the message of a panic in it.
pub(crate) fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(text_of)
}

/// Traces an event. A `tracing` layer is user code too, and a panic in it goes no further.
pub(crate) fn trace(event: impl FnOnce()) {
    let _ = catch(event);
}

fn text_of(payload: Box<dyn Any + Send>) -> String {
    let text = message(&*payload).to_owned();
    discard(payload);
    text
}

/// Drops a value whose destructor may run user code. A panic in it is caught.
pub(crate) fn discard<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        // Dropping this payload may panic again, and so may the next payload, without end.
        std::mem::forget(payload);
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests;
