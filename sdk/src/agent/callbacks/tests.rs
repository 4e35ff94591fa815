use std::task::Waker;

use tokio::sync::Notify;

use super::*;
use crate::agent::elicitation::ElicitationRequest;

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

/// Of two questions the first is answered after the second.
#[tokio::test]
async fn questions_of_servers_are_open_at_the_same_time() {
    let second = Arc::new(Notify::new());
    let callback = move |question: ElicitationRequest| {
        let second = second.clone();
        async move {
            match question.message.as_str() {
                "first" => second.notified().await,
                _ => second.notify_one(),
            }
            question.decline()
        }
    };
    let options = AgentOptions::builder().on_elicitation(callback).build().unwrap();
    let channel = Arc::<Channel>::default();
    let jobs = Jobs::new(channel.clone());
    let callbacks =
        Callbacks::new(channel.clone(), jobs.clone(), &options, RunRef::default(), Arc::default());
    let ids = ["first", "second"].map(|message| {
        let (id, _) = channel.open(message, 1).unwrap();
        let question = format!(r#"{{"message":"{message}","requested_schema":{{}}}}"#);
        callbacks.elicit(id.clone(), &question);
        id
    });
    jobs.begin();
    while ids.iter().any(|id| channel.is_open(id)) {
        tokio::task::yield_now().await;
    }
}
