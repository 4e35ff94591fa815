use std::future::Future;
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};

use super::*;
use crate::CancelToken;
use crate::agent::callback_output::{CallbackOutput, callback};
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
fn answer_of<F, Fut>(given: F, request: PermissionRequest) -> String
where
    F: FnOnce(PermissionRequest) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output: CallbackOutput<Permission>> + Send + 'static,
{
    answer_to(callback(given), request.raw()).unwrap()
}

/// The answer of a policy.
fn answer_by(policy: PermissionPolicy, request: PermissionRequest) -> String {
    answer_to(policy.into_callback(), request.raw()).unwrap()
}

/// The same for the text of a request.
fn answer_to(callback: PermissionCallback, request: &str) -> Result<String, String> {
    let answer = ask(callback, request.into(), CancelToken::default(), RunRef::default());
    now(answer).map(|answer| answer.get().to_owned())
}
