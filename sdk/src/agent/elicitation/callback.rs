//! The callback that answers questions of servers.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::answer::ElicitationAnswer;
use super::request::ElicitationRequest;
use crate::CancelToken;
use crate::agent::run_ref::RunRef;
use crate::agent::wire::RawJson;

type ElicitationFuture = Pin<Box<dyn Future<Output = ElicitationAnswer> + Send>>;

/// A callback without its type.
pub(crate) type ElicitationCallback =
    Arc<dyn Fn(ElicitationRequest) -> ElicitationFuture + Send + Sync>;

pub(crate) fn callback<F, Fut>(callback: F) -> ElicitationCallback
where
    F: Fn(ElicitationRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ElicitationAnswer> + Send + 'static,
{
    Arc::new(move |question| Box::pin(callback(question)))
}

/// Asks the callback and gives MCP's `ElicitResult`. `question` is a text that
/// [`ElicitationRequest::read`] takes, `server` too. All is done in the first poll, so that a panic
/// in the callback is a panic of the future.
///
/// # Errors
///
/// The question cannot be read, or its answer cannot be written.
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
            callback(question).await.encode()
        }
        Err(why) => Err(format!("the question of a server cannot be read: {why}")),
    };
    outcome.inspect_err(|error| tracing::error!("{error}; the question is cancelled"))
}
