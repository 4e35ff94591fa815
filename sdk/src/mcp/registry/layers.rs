//! What a registry puts around the calls of its tools.

use std::future::Future;

use serde_json::{Map, Value};

use super::builder::ToolRegistryBuilder;
use crate::mcp::output::ToolResult;
use crate::mcp::span::Parent;
use crate::mcp::tool::{Layer, Next, ToolCall};

impl ToolRegistryBuilder {
    /// Calls a function with the `tracing` span of each call, before it is entered, and with
    /// `_meta` of its request. So a span can become part of the trace of the client, which sends
    /// `traceparent` there; `examples/06_layers_and_telemetry` does that.
    ///
    /// Every call has a span at the level `INFO`, if a subscriber wants one. It has the names of
    /// OpenTelemetry for MCP and generative AI:
    ///
    /// | field | value |
    /// |---|---|
    /// | `otel.name`, `otel.kind` | `tools/call add`, `server` |
    /// | `mcp.method.name` | `tools/call` |
    /// | `mcp.protocol.version` | such as `2025-11-25` |
    /// | `mcp.session.id` | the number of the session in this program |
    /// | `jsonrpc.request.id` | the id of the request |
    /// | `network.transport` | `pipe` if the server is on standard input and output |
    /// | `gen_ai.operation.name`, `gen_ai.tool.name` | `execute_tool`, the tool |
    /// | `error.type` | `tool_error` (an error result), `invalid_arguments`, `panic`, `timeout`, `cancelled`, `overloaded`, `too_many_rounds`; absent after a success |
    /// | `otel.status_code` | `ERROR` with an `error.type` |
    ///
    /// Refused arguments and panics keep their `error.type` when layers pass on the result that
    /// [`Next::run`] makes of them. The span lasts as long as the call. Arguments and results are
    /// not in it. A [`ToolRegistry::call`](crate::ToolRegistry::call) without a client has a span
    /// `execute_tool add` with the fields that it knows, inside of the current span, which is that
    /// of a tool or a layer that makes the call. The function is not called with it.
    pub fn parent(
        mut self,
        connect: impl Fn(&tracing::Span, &Map<String, Value>) + Send + Sync + 'static,
    ) -> Self {
        self.server.parent = Some(Parent::new(connect));
        self
    }

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
