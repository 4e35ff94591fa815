use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use super::*;
use crate::CancelToken;

fn report(desk: &Desk, id: usize) {
    let tool_use_id = id.to_string();
    let message = String::new();
    desk.progress(ToolProgress { tool_use_id, done: 1.0, total: 2.0, message });
}

#[test]
fn the_progress_of_calls_that_nobody_watches_is_bounded() {
    let desk = Desk::default();
    for id in 0..2_000 {
        report(&desk, id);
        report(&desk, id);
    }
    assert!(desk.progress_of("975").is_none(), "the oldest are forgotten");
    let mut ids = Vec::new();
    while let Some(Item::Progress(Event::Progress { id, .. })) = desk.take() {
        ids.push(id);
    }
    assert_eq!(ids, (976..2_000).map(|id| id.to_string()).collect::<Vec<_>>());
}

/// Asks as far as it goes without an answer.
async fn asked(question: &mut Pin<Box<impl Future<Output = Permission>>>) {
    poll_fn(|cx| {
        assert!(question.as_mut().poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

/// As of two that an interrupt has withdrawn while the first one was shown.
#[tokio::test]
async fn a_question_that_nobody_asks_any_more_is_not_shown() {
    let desk = Desk::default();
    let request = |id: &str| {
        let request = format!(r#"{{"tool_use_id":"{id}","tool_name":"Write","input":{{}}}}"#);
        PermissionRequest::read(request, CancelToken::default()).unwrap()
    };
    let mut gone = Box::pin(desk.ask(request("a")));
    let mut asks = Box::pin(desk.ask(request("b")));
    asked(&mut gone).await;
    asked(&mut asks).await;
    drop(gone);
    let Item::Question(question) = desk.next().await else { panic!("it is no question") };
    assert_eq!(question.id, "b");
}
