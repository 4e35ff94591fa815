use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use super::*;

#[derive(Default)]
struct Told(AtomicBool);

impl Exchange for Told {
    fn close(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Whether an exchange that begins to wait now is ended.
fn is_ended(open: &Arc<Open>, is_listener: bool) -> bool {
    let told = Arc::<Told>::default();
    let _waiting = open.wait(&told, is_listener, 1).unwrap();
    told.0.load(Ordering::SeqCst)
}

#[tokio::test(start_paused = true)]
async fn what_begins_to_wait_once_the_service_stops_is_ended() {
    let open = Arc::<Open>::default();
    let request = open.admit(1, || false).ok().unwrap();
    assert!(!is_ended(&open, true) && !is_ended(&open, false));
    let mut closes = pin!(open.close(Duration::from_secs(1), false));
    assert!(poll_fn(|cx| Poll::Ready(closes.as_mut().poll(cx))).await.is_pending());
    assert!(is_ended(&open, true) && !is_ended(&open, false));
    closes.await;
    assert!(is_ended(&open, true) && is_ended(&open, false));
    drop(request);
}

#[test]
fn what_may_end_a_call_has_a_bound_of_its_own() {
    let open = Arc::<Open>::default();
    let _request = open.admit(1, || false).ok().unwrap();
    let mut others = Vec::new();
    while let Ok(other) = open.admit(1, || true) {
        others.push(other);
        assert!(others.len() <= SPARE);
    }
    assert_eq!(others.len(), SPARE);
    assert!(others.pop().unwrap().for_message(|| true).is_ok());
    assert!(others.pop().unwrap().for_message(|| false).is_err());
    assert!(open.admit(1, || false).is_err() && open.admit(1, || true).is_ok());
}
