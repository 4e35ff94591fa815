//! What a registry puts around the calls of its tools.

use std::future::Future;

use super::builder::ToolRegistryBuilder;
use crate::mcp::output::ToolResult;
use crate::mcp::tool::{Layer, Next, ToolCall};

impl ToolRegistryBuilder {
    /// Adds a layer around every call: an async closure that gets the call and what comes next, and
    /// gives the result. The first layer added is the outermost.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use toolwright::{Next, ToolCall, ToolRegistry, ToolResult, json, tool, tools};
    /// use tokio::sync::Semaphore;
    ///
    /// /// Delete a file.
    /// #[tool(destructive)]
    /// fn delete(path: &str) -> String {
    ///     format!("{path} is deleted")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // At most four calls at once.
    /// let permits = Arc::new(Semaphore::new(4));
    /// let limit = async move |call: ToolCall, next: Next| {
    ///     let _permit = permits.acquire().await;
    ///     next.run(call).await
    /// };
    /// // Nothing is destroyed unless the request says who asks for it.
    /// let guard = async |call: ToolCall, next: Next| {
    ///     let is_named = call.context().meta().contains_key("com.example/user");
    ///     match call.annotations().destructive_hint {
    ///         Some(true) if !is_named => ToolResult::error("Who are you?"),
    ///         _ => next.run(call).await,
    ///     }
    /// };
    /// let registry = ToolRegistry::builder("files")
    ///     .tools(tools![delete])
    ///     .layer(limit)
    ///     .layer(guard)
    ///     .build()?;
    /// assert_eq!(registry.call("delete", json!({"path": "a"})).await?.to_text(), "Who are you?");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A layer sees every call of a known tool before its arguments are checked. Wrong arguments
    /// and a panic of the tool are error results that [`Next::run`] returns. A layer
    /// may answer itself, run the tool more than once (both [`ToolCall`] and [`Next`] are `Clone`),
    /// change the arguments or the result, and [add values](ToolCall::insert) for the tool.
    ///
    /// The schema, the timeout, progress and cancellation stay those of the tool: the timeout
    /// includes the layers, and a call that is cancelled drops them. The layers around a plain
    /// function run on its thread, which they hold while they wait.
    ///
    /// Each call runs a clone of the closure, which owns what it has captured: capture an
    /// [`Arc`](std::sync::Arc) of what the calls share.
    pub fn layer<F, Fut>(mut self, layer: F) -> Self
    where
        F: FnOnce(ToolCall, Next) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = ToolResult> + Send + 'static,
    {
        self.server.layers.push(Layer::new(layer));
        self
    }
}
