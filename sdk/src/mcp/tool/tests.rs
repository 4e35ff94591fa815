use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as TaskContext, Waker};

use serde_json::json;

use super::*;

/// A host decodes while it holds the line, and has others read on while it polls.
#[test]
fn a_handler_begins_when_it_is_polled() {
    static BEGAN: AtomicBool = AtomicBool::new(false);
    let tool = Tool::new("late", "", json!({"type": "object"}), |_: Value, _: Context| {
        BEGAN.store(true, Ordering::Relaxed);
        async { "done" }
    });
    let mut work = tool.decoder().decode(None, &Context::detached).ok().unwrap().work.0;
    assert!(!BEGAN.load(Ordering::Relaxed));
    let polled = work.as_mut().poll(&mut TaskContext::from_waker(Waker::noop()));
    assert!(polled.is_ready());
    assert!(BEGAN.load(Ordering::Relaxed));
}
