use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Wake};

use super::*;

struct Counted;

impl Wake for Counted {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn a_future_that_is_dropped_leaves_no_waker() {
    let token = CancelToken::default();
    let counted = Arc::new(Counted);
    let waker = counted.clone().into();
    for _ in 0..100 {
        let mut waits = pin!(token.cancelled());
        assert!(waits.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    drop(waker);
    assert_eq!(Arc::strong_count(&counted), 1);
}
