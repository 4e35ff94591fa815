use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use serde_json::{Value, json};

use super::Texts;
use crate::agent::{Message, RunError};

/// Messages, with a pause before each.
struct Paused(Vec<Result<Message, RunError>>, bool);

impl Stream for Paused {
    type Item = Result<Message, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.1 = !self.1;
        if self.1 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready((!self.0.is_empty()).then(|| self.0.remove(0)))
    }
}

fn says(text: &str, parent: Value) -> Result<Message, RunError> {
    let message = json!({"content": [{"type": "text", "text": text}]});
    let line = json!({"type": "assistant", "message": message, "parent_tool_use_id": parent});
    Ok(Message::parse(line.to_string()))
}

#[test]
fn the_texts_of_the_main_conversation_come_in_order() {
    let messages = vec![
        Ok(Message::parse(r#"{"type":"system","subtype":"init"}"#)),
        says("One.", Value::Null),
        says("", Value::Null),
        says("Of a subagent.", json!("toolu_1")),
        Err(RunError::NoResult),
        says("Two.", Value::Null),
    ];
    let mut texts = pin!(Texts::of(Paused(messages, false)));
    let mut seen = Vec::new();
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        match texts.as_mut().poll_next(&mut cx) {
            Poll::Pending => {}
            Poll::Ready(Some(text)) => seen.push(text.ok()),
            Poll::Ready(None) => break,
        }
    }
    assert_eq!(seen, [Some("One.".to_owned()), None, Some("Two.".to_owned())]);
}
