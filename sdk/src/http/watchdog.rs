//! Keeps a server reachable while a tool blocks one of the threads that serve.
//!
//! In tokio's runtime one idle thread waits for the network and the timers, and the others wait for
//! that one. If the first task that it wakes for blocks, it has woken none of the others, and they
//! sleep until the task is done. Any new task wakes one of them, which then waits for the network.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeMetrics};

/// How often the watchdog looks. A thread that is at work at two looks, and was never idle between
/// them, may be blocked.
const TICK: Duration = Duration::from_millis(50);

/// Watches the runtime until it is dropped.
#[derive(Debug)]
pub(super) struct Watchdog {
    _ends: Sender<()>,
}

impl Watchdog {
    /// Watches the runtime of its caller, if that has more than one thread.
    pub(super) fn start() -> Self {
        let (ends, ended) = channel();
        let runtime = Handle::current();
        if runtime.metrics().num_workers() > 1 {
            let watch = move || watch(&runtime, &ended);
            let thread = thread::Builder::new().name("toolwright-watchdog".into());
            if let Err(error) = thread.stack_size(64 * 1024).spawn(watch) {
                tracing::warn!(%error, "a tool that blocks a thread will hold up all requests");
            }
        }
        Self { _ends: ends }
    }
}

fn watch(runtime: &Handle, ended: &Receiver<()>) {
    let metrics = runtime.metrics();
    let mut last = counts(&metrics);
    while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let now = counts(&metrics);
        let is_blocked = now.iter().zip(&last).any(|(now, last)| now == last && !is_idle(*now));
        if is_blocked && now.iter().any(|count| is_idle(*count)) {
            runtime.spawn(async {});
        }
        last = now;
    }
}

/// How often each thread has begun or ended to be idle.
fn counts(metrics: &RuntimeMetrics) -> Vec<u64> {
    (0..metrics.num_workers()).map(|worker| metrics.worker_park_unpark_count(worker)).collect()
}

fn is_idle(count: u64) -> bool {
    count % 2 == 1
}
