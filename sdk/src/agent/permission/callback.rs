//! The callback that answers permission requests.

use std::sync::Arc;

use super::answer::Permission;
use super::request::PermissionRequest;
use crate::CancelToken;
use crate::agent::callback_output::Callback;
use crate::agent::run_ref::RunRef;
use crate::agent::wire::RawJson;

pub(crate) type PermissionCallback = Callback<PermissionRequest, Permission>;

/// Asks the callback and gives the response object; `request` is the text of the whole request
/// object. It is read in the first poll: its parts are then freed before those of the next one are
/// allocated. The callback is called there, too, so that a panic in it is a panic of the future.
///
/// # Errors
///
/// The request cannot be read, or the callback failed.
pub(crate) async fn ask(
    callback: PermissionCallback,
    request: Arc<str>,
    cancel: CancelToken,
    run: RunRef,
) -> Result<RawJson, String> {
    let mut request = PermissionRequest::read(request, cancel)
        .map_err(|error| format!("the permission request cannot be read: {error}"))?;
    request.run = run;
    let tool_name = request.tool_name.clone();
    let original = request.input.clone();
    Ok(callback(request).await?.encode(&tool_name, &original))
}
