use std::future::Future;
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};

use super::*;
use crate::CancelToken;
use crate::agent::run_ref::RunRef;

mod answer;
mod policy;
mod request;
mod shadow;
mod update;

fn request(value: Value) -> PermissionRequest {
    PermissionRequest::read(value.to_string(), CancelToken::default()).unwrap()
}

fn bash() -> PermissionRequest {
    request(
        json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "toolu_1"}),
    )
}

/// The result of a future that does not wait for anything.
fn now<F: Future>(future: F) -> F::Output {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}

/// What the CLI is answered.
fn answer_of(callback: impl CanUseTool, request: PermissionRequest) -> String {
    answer_to(callback, request.raw())
}

/// The same for the text of a request.
fn answer_to(callback: impl CanUseTool, request: &str) -> String {
    let answer =
        ask(callback.into_callback(), request.into(), CancelToken::default(), RunRef::default());
    now(answer).unwrap().get().to_owned()
}
