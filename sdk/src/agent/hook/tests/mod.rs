use std::future::Future;
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};

use super::*;
use crate::CancelToken;
use crate::agent::callback_output::CallbackOutput;

mod closures;
mod hooks;
mod input;
mod output;

/// The result of a future that does not wait for anything.
fn now<F: Future>(future: F) -> F::Output {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}

/// What the CLI is answered when it calls the hook.
fn answer_of(hook: Hook, input: Value) -> Result<String, String> {
    let call = Hooks(vec![hook]).call(
        "hook_0",
        &input.to_string(),
        HookContext { tool_use_id: Some("toolu_1".into()), ..HookContext::default() },
    );
    now(call.unwrap()).map(|output| output.get().to_owned())
}
