use std::task::Context;

use serde_json::{Value, json};

use super::*;
use crate::agent::progress::ToolProgress;

/// A message, and nothing after it.
struct Messages(Option<Message>);

impl Stream for Messages {
    type Item = Result<Message, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.0.take() {
            Some(message) => Poll::Ready(Some(Ok(message))),
            None => Poll::Pending,
        }
    }
}

fn report(feed: &Feed, id: &str) {
    let (tool_use_id, message) = (id.to_owned(), String::new());
    feed.desk.progress(ToolProgress { tool_use_id, done: 1.0, total: 2.0, message });
}

/// What is shown of a message, each in a word.
async fn shown(feed: &mut Feed, message: Value) -> Vec<String> {
    let message = Message::parse(message.to_string());
    let Next::Events(events) = feed.next(pin!(Messages(Some(message)))).await else {
        panic!("no events");
    };
    let words = events.iter().map(|event| match event {
        Event::Call { id, .. } => format!("call {id}"),
        Event::Progress { id, .. } => format!("progress {id}"),
        Event::Returned { id, .. } => format!("result {id}"),
        other => panic!("{other:?}"),
    });
    words.collect()
}

#[tokio::test]
async fn early_progress_is_shown_only_with_its_call() {
    let mut feed = Feed::default();
    for id in ["unwatched", "a", "b"] {
        report(&feed, id);
    }
    feed.begin();
    let call = |id| json!({"type": "tool_use", "id": id, "name": "Copy", "input": {}});
    let calls = json!({"type": "assistant", "message": {"content": [call("a")]}});
    assert_eq!(shown(&mut feed, calls).await, ["call a", "progress a"]);
    let result = json!({"type": "tool_result", "tool_use_id": "b", "content": "4"});
    let results = json!({"type": "user", "message": {"content": [result]}});
    assert_eq!(shown(&mut feed, results).await, ["progress b", "result b"]);
    report(&feed, "c");
    let Next::Events(events) = feed.next(pin!(Messages(None))).await else {
        panic!("no events");
    };
    assert!(matches!(&events[..], [Event::Progress { id, .. }] if id == "c"), "{events:?}");
}
