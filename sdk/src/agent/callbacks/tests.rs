use std::task::Waker;

use super::*;

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("while dropped");
    }
}

/// Ready at once, with something left in it that panics when it is dropped.
struct Leaving(#[allow(dead_code, reason = "it is there to be dropped")] PanicsWhenDropped);

impl Future for Leaving {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Outcome> {
        Poll::Ready(Err("an answer".into()))
    }
}

fn poll(callback: impl Future<Output = Outcome> + Send + 'static) -> Poll<Outcome> {
    let mut caught = Caught { callback: Some(Box::pin(callback)), _running: Arc::default() };
    Pin::new(&mut caught).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn what_a_callback_leaves_behind_takes_nothing_from_its_answer() {
    assert!(
        matches!(poll(Leaving(PanicsWhenDropped)), Poll::Ready(Err(text)) if text == "an answer")
    );
}

#[test]
fn a_panic_is_an_error_without_its_detail() {
    let panicking = async { panic!("secret") };
    assert!(
        matches!(poll(panicking), Poll::Ready(Err(text)) if text == "the callback failed: an internal error stopped it")
    );
}
