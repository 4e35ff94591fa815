//! The callback that answers questions of servers.

use std::sync::Arc;

use super::answer::ElicitationAnswer;
use super::request::ElicitationRequest;
use crate::CancelToken;
use crate::agent::callback_output::Callback;
use crate::agent::run_ref::RunRef;
use crate::agent::wire::RawJson;

pub(crate) type ElicitationCallback = Callback<ElicitationRequest, ElicitationAnswer>;

/// Asks the callback and gives MCP's `ElicitResult`. `question` is a text that
/// [`ElicitationRequest::read`] takes, `server` too. All is done in the first poll, so that a panic
/// in the callback is a panic of the future.
///
/// # Errors
///
/// The question cannot be read, the callback failed, or its answer cannot be written.
pub(crate) async fn ask(
    callback: ElicitationCallback,
    question: Arc<str>,
    server: Option<Arc<str>>,
    withdrawn: CancelToken,
    run: RunRef,
) -> Result<RawJson, String> {
    let outcome = match ElicitationRequest::read(question, server.as_deref(), withdrawn) {
        Ok(mut question) => {
            question.run = run;
            callback(question).await.and_then(|answer| answer.encode())
        }
        Err(why) => Err(format!("the question of a server cannot be read: {why}")),
    };
    outcome.inspect_err(|error| tracing::error!("{error}; the question is cancelled"))
}
