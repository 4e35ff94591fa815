//! Lets another thread run what a tool has woken.

use tokio::runtime::Handle;

/// To be called after tasks were woken from a tool that goes on, and may block its thread next.
///
/// Tokio keeps the task that was woken last for the thread that woke it, and no other thread can
/// take it from there. A new task takes its place, and wakes a thread that is idle.
pub(super) fn hand_over() {
    if let Ok(runtime) = Handle::try_current()
        && runtime.metrics().num_workers() > 1
    {
        runtime.spawn(async {});
    }
}
