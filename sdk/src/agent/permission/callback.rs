//! The callbacks that answer permission requests.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::answer::Permission;
use super::request::PermissionRequest;
use crate::CancelToken;
use crate::agent::run_ref::RunRef;
use crate::agent::wire::RawJson;

/// The future of an answer.
pub type PermissionFuture = Pin<Box<dyn Future<Output = Permission> + Send>>;

/// [`CanUseTool`] without its type.
pub type PermissionCallback = Arc<dyn Fn(PermissionRequest) -> PermissionFuture + Send + Sync>;

/// Answers permission requests. Closures do, and [`PermissionPolicy`](super::PermissionPolicy).
///
/// ```
/// use toolwright::agent::{AgentOptions, Permission, PermissionRequest};
///
/// AgentOptions::builder().can_use_tool(|request: PermissionRequest| async move {
///     match request.tool_name.as_str() {
///         "Bash" => Permission::deny("no shell here"),
///         _ => Permission::allow(),
///     }
/// });
/// ```
///
/// When the model calls several tools at once, their requests come at once too. The future is
/// dropped when the CLI cancels its request.
pub trait CanUseTool: Send + Sync + 'static {
    /// Answers one request.
    fn can_use_tool(&self, request: PermissionRequest) -> PermissionFuture;

    /// Forgets the type.
    fn into_callback(self) -> PermissionCallback
    where
        Self: Sized,
    {
        Arc::new(move |request| self.can_use_tool(request))
    }
}

impl<F, Fut> CanUseTool for F
where
    F: Fn(PermissionRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Permission> + Send + 'static,
{
    fn can_use_tool(&self, request: PermissionRequest) -> PermissionFuture {
        Box::pin(self(request))
    }
}

impl CanUseTool for PermissionCallback {
    fn can_use_tool(&self, request: PermissionRequest) -> PermissionFuture {
        self(request)
    }

    fn into_callback(self) -> PermissionCallback {
        self
    }
}

/// Asks the callback and gives the response object; `request` is the text of the whole request
/// object. It is read in the first poll: its parts are then freed before those of the next one are
/// allocated. The callback is called there, too, so that a panic in it is a panic of the future.
///
/// # Errors
///
/// The request cannot be read.
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
    Ok(callback(request).await.encode(&tool_name, &original))
}
