use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use super::*;

/// What never passes in a test that does.
const LIMIT: Duration = Duration::from_secs(60);

/// A sentinel, its thread, and what it says when another reader must take over.
fn watching() -> (Arc<Sentinel>, JoinHandle<()>, Receiver<()>) {
    let sentinel = Arc::<Sentinel>::default();
    let (overtake, overtaken) = channel();
    let watching = sentinel.clone();
    let thread = thread::spawn(move || watching.watch(|| true, || overtake.send(()).unwrap()));
    (sentinel, thread, overtaken)
}

/// Waits in place of the reader until the sentinel sleeps.
fn rest_until_asleep(sentinel: &Sentinel, then: impl FnOnce()) {
    sentinel.rest(|| {
        let since = Instant::now();
        while !sentinel.asleep.load(Ordering::SeqCst) {
            assert!(since.elapsed() < LIMIT, "it looks although nothing happens");
            thread::yield_now();
        }
        then();
    });
}

#[test]
fn a_sentinel_that_sleeps_watches_again_once_something_has_come() {
    let (sentinel, thread, overtaken) = watching();
    rest_until_asleep(&sentinel, || ());
    sentinel.enter(1, || ());
    overtaken.recv_timeout(LIMIT).expect("it sleeps on");
    assert!(!sentinel.leave(1), "another one is the reader");
    sentinel.stop();
    thread.join().unwrap();
}

#[test]
fn a_sentinel_that_sleeps_ends_when_it_is_stopped() {
    let (sentinel, thread, _) = watching();
    rest_until_asleep(&sentinel, || {
        sentinel.stop();
        thread.join().unwrap();
    });
}

#[test]
fn a_thread_that_could_not_be_started_is_tried_again() {
    let sentinel = Sentinel::default();
    let mut starts = 0;
    sentinel.enter(1, || {
        starts += 1;
        sentinel.unstarted();
    });
    sentinel.enter(2, || starts += 1);
    sentinel.enter(3, || starts += 1);
    assert_eq!(starts, 2);
}
