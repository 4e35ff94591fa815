use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use serde_json::json;

use super::{DialogAnswer, DialogRequest, ask};
use crate::CancelToken;
use crate::agent::callback_output::callback;

/// What a callback's answer to a request is on the wire, or why it has none.
fn answer(request: &str, answer: fn(DialogRequest) -> DialogAnswer) -> String {
    let callback = callback(move |dialog| async move { answer(dialog) });
    let asked = pin!(ask(callback, Arc::from(request), CancelToken::default()));
    match asked.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Ok(answer)) => answer.get().to_owned(),
        Poll::Ready(Err(error)) => error,
        Poll::Pending => panic!("it waits"),
    }
}

const REQUEST: &str = r#"{"subtype":"request_user_dialog","dialog_kind":"pick","payload":{"of":[1,2]},"tool_use_id":"toolu_1","new":true}"#;

#[test]
fn a_dialog_is_completed_or_cancelled() {
    let completed = answer(REQUEST, |dialog| {
        assert_eq!(dialog.dialog_kind, "pick");
        assert_eq!(dialog.payload.to_value(), json!({"of": [1, 2]}));
        assert_eq!(dialog.tool_use_id.as_deref(), Some("toolu_1"));
        assert_eq!(dialog.member("new"), Some("true"));
        dialog.complete(json!({"picked": 2}))
    });
    assert_eq!(completed, r#"{"behavior":"completed","result":{"picked":2}}"#);
    assert_eq!(answer(REQUEST, |dialog| dialog.cancel()), r#"{"behavior":"cancelled"}"#);
}

#[test]
fn what_cannot_be_read_or_written_is_an_error() {
    let huge = r#"{"dialog_kind":"pick","payload":{"n":1e999}}"#;
    let asked = |_: DialogRequest| -> DialogAnswer { panic!("it cannot be read") };
    let unreadable = answer(huge, asked);
    assert!(unreadable.starts_with("the dialog cannot be read: "), "{unreadable}");
    let unwritable = answer(REQUEST, |dialog| {
        let keys = std::collections::BTreeMap::from([((1, 2), 3)]);
        dialog.complete(keys)
    });
    assert!(unwritable.starts_with("the result of a dialog cannot be JSON: "), "{unwritable}");
}
