//! The callback that shows dialogs.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::answer::DialogAnswer;
use super::request::DialogRequest;
use crate::CancelToken;
use crate::agent::wire::RawJson;

type DialogFuture = Pin<Box<dyn Future<Output = DialogAnswer> + Send>>;

/// A callback without its type.
pub(crate) type DialogCallback = Arc<dyn Fn(DialogRequest) -> DialogFuture + Send + Sync>;

pub(crate) fn callback<F, Fut>(callback: F) -> DialogCallback
where
    F: Fn(DialogRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = DialogAnswer> + Send + 'static,
{
    Arc::new(move |dialog| Box::pin(callback(dialog)))
}

/// Asks the callback and gives the response object; `request` is the text of the whole request
/// object. All is done in the first poll, so that a panic in the callback is a panic of the future.
///
/// # Errors
///
/// The request cannot be read, or its answer cannot be written.
pub(crate) async fn ask(
    callback: DialogCallback,
    request: Arc<str>,
    withdrawn: CancelToken,
) -> Result<RawJson, String> {
    let outcome = match DialogRequest::read(&request, withdrawn) {
        Ok(dialog) => callback(dialog).await.encode(),
        Err(why) => Err(format!("the dialog cannot be read: {why}")),
    };
    outcome.or_else(|error| {
        // The CLI discards an error and would wait for ever.
        tracing::error!("{error}; the dialog is cancelled");
        DialogAnswer(super::answer::Outcome::Cancelled).encode()
    })
}
