//! The callback that shows dialogs.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::answer::DialogAnswer;
use super::request::DialogRequest;
use crate::CancelToken;
use crate::agent::callback_output::{CallbackOutput, checked};
use crate::agent::wire::RawJson;

type DialogFuture = Pin<Box<dyn Future<Output = Result<DialogAnswer, String>> + Send>>;

/// A callback without its type.
pub(crate) type DialogCallback = Arc<dyn Fn(DialogRequest) -> DialogFuture + Send + Sync>;

/// Each dialog runs a clone of the callback.
pub(crate) fn callback<F, Fut>(callback: F) -> DialogCallback
where
    F: FnOnce(DialogRequest) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output: CallbackOutput<DialogAnswer>> + Send + 'static,
{
    Arc::new(move |dialog| {
        let callback = callback.clone();
        Box::pin(async move { checked(callback(dialog).await) })
    })
}

/// Asks the callback and gives the response object; `request` is the text of the whole request
/// object. All is done in the first poll, so that a panic in the callback is a panic of the future.
///
/// # Errors
///
/// The request cannot be read, the callback failed, or its answer cannot be written.
pub(crate) async fn ask(
    callback: DialogCallback,
    request: Arc<str>,
    withdrawn: CancelToken,
) -> Result<RawJson, String> {
    let outcome = match DialogRequest::read(&request, withdrawn) {
        Ok(dialog) => callback(dialog).await.and_then(|answer| answer.encode()),
        Err(why) => Err(format!("the dialog cannot be read: {why}")),
    };
    outcome.or_else(|error| {
        // The CLI discards an error and would wait for ever.
        tracing::error!("{error}; the dialog is cancelled");
        DialogAnswer(super::answer::Outcome::Cancelled).encode()
    })
}
