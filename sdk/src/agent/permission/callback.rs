//! Who answers the question whether a tool may be called.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::answer::Permission;
use super::request::PermissionRequest;
use crate::agent::wire::RawJson;

/// An answer on its way.
pub type PermissionFuture = Pin<Box<dyn Future<Output = Permission> + Send>>;

/// [`CanUseTool`] as it is kept.
pub type PermissionCallback = Arc<dyn Fn(PermissionRequest) -> PermissionFuture + Send + Sync>;

/// Answers permission requests. Closures do: `|request: PermissionRequest| async move { … }` and,
/// where nothing is captured, `async |request: PermissionRequest| …`. So does a
/// [`PermissionPolicy`](super::PermissionPolicy).
///
/// Requests come at the same time when the model calls several tools at once. An answer's future is
/// dropped when the CLI takes its request back.
pub trait CanUseTool: Send + Sync + 'static {
    /// Answers one request.
    fn can_use_tool(&self, request: PermissionRequest) -> PermissionFuture;

    /// As it is kept.
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

/// Asks the callback and gives the response object. Nothing of the callback runs before the first
/// poll, so that a panic is one of the future's.
pub(crate) async fn ask(callback: PermissionCallback, request: PermissionRequest) -> RawJson {
    let tool_name = request.tool_name.clone();
    let original = request.input.clone();
    callback(request).await.encode(&tool_name, &original)
}
