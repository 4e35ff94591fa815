//! The callback that shows dialogs.

use std::sync::Arc;

use super::answer::DialogAnswer;
use super::request::DialogRequest;
use crate::CancelToken;
use crate::agent::callback_output::Callback;
use crate::agent::wire::RawJson;

pub(crate) type DialogCallback = Callback<DialogRequest, DialogAnswer>;

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
    outcome.inspect_err(|error| tracing::error!("{error}; the dialog is cancelled"))
}
