//! What a registry puts around the calls of its tools.

use std::future::Future;

use serde_json::{Map, Value};

use super::builder::ToolRegistryBuilder;
use super::tool_filter::ToolFilter;
use crate::mcp::context::Context;
use crate::mcp::output::ToolResult;
use crate::mcp::span::Parent;
use crate::mcp::tool::{Layer, Next, Tool, ToolCall};

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
    /// | `error.type` | `tool_error` (an error result), `protocol_error` (an `ErrorObject`), `invalid_arguments`, `panic`, `timeout`, `cancelled`, `overloaded`, `too_many_rounds`; absent after a success |
    /// | `otel.status_code` | `ERROR` with an `error.type` |
    ///
    /// Refused arguments and panics keep their `error.type` when layers pass on the result that
    /// [`Next::run`] makes of them. The span lasts as long as the call, or in 2026-07-28 as long as
    /// a round of it: one that asks the client has no error. Arguments and results are not in it. A
    /// [`ToolRegistry::call`](crate::ToolRegistry::call) without a client has a span `execute_tool
    /// add` with the fields that it knows, inside of the current span, which is that of a tool or a
    /// layer that makes the call. The function is not called with it.
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
    /// includes the layers, and a call that is cancelled or timed out drops them: what must happen
    /// at the end in any case belongs into a `Drop`. The layers around a plain function run on its
    /// thread, which they hold while they wait, and cannot ask the client there
    /// ([`AskError::NeedsAsync`](crate::AskError::NeedsAsync)).
    ///
    /// In 2026-07-28 a call that asks its client runs in [rounds](crate::Context::once), the layers
    /// with it: each round that asks drops them, and the next one begins them again.
    ///
    /// Each call runs a clone of the closure, which owns what it has captured: capture an
    /// [`Arc`](std::sync::Arc) of what the calls share. What a call changes in its clone, the next
    /// one does not see.
    pub fn layer<F, Fut>(mut self, layer: F) -> Self
    where
        F: FnOnce(ToolCall, Next) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = ToolResult> + Send + 'static,
    {
        self.server.layers.push(Layer::new(layer));
        self
    }

    /// Sets which tools are there for whom: for each request this function says of a tool whether
    /// the client has it, by the context of the request. `tools/list` leaves out the others, and
    /// calls of them are refused. Default: all tools for all.
    ///
    /// Over HTTP with authorization, only the tools that a token allows:
    ///
    /// ```
    /// # #[cfg(feature = "http")] {
    /// use toolwright::{ToolRegistry, tool, tools};
    ///
    /// /// Write a note.
    /// #[tool(scopes = ["notes:write"])]
    /// async fn write(note: String) {}
    ///
    /// let registry = ToolRegistry::builder("notes")
    ///     .tools(tools![write])
    ///     .tool_filter(|tool, cx| {
    ///         tool.scopes().iter().all(|scope| cx.caller().is_some_and(|it| it.may(scope)))
    ///     })
    ///     .build()?;
    /// # }
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// A tool that is there after a login, in a session with a state of its own:
    ///
    /// ```
    /// # #[cfg(feature = "testing")] {
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Context, State, ToolRegistry, json, tool, tools};
    ///
    /// #[derive(Default)]
    /// struct Login {
    ///     is_done: AtomicBool,
    /// }
    ///
    /// /// Log in.
    /// #[tool]
    /// async fn login(word: &str, login: State<Login>, cx: &Context) -> Result<(), &'static str> {
    ///     if word != "sesame" {
    ///         return Err("That is not the word.");
    ///     }
    ///     login.is_done.store(true, Ordering::Relaxed);
    ///     cx.tools_changed();
    ///     Ok(())
    /// }
    ///
    /// /// Order something.
    /// #[tool]
    /// async fn order(what: &str) {}
    ///
    /// let registry = ToolRegistry::builder("shop")
    ///     .tools(tools![login, order])
    ///     .session_state(Login::default)
    ///     .tool_filter(|tool, cx| {
    ///         let login = cx.extension::<Login>();
    ///         tool.name() == "login" || login.is_some_and(|it| it.is_done.load(Ordering::Relaxed))
    ///     })
    ///     .build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// assert_eq!(client.list_tools()?.len(), 1);
    /// client.call("login", json!({"word": "sesame"}))?;
    /// assert_eq!(client.notifications()?[0]["method"], "notifications/tools/list_changed");
    /// assert_eq!(client.list_tools()?.len(), 2);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// If the answers change, tell the clients: [`Context::tools_changed`] the one of a call,
    /// [`ToolRegistry::tools_changed`] all. The revision 2026-07-28 wants tools to depend on the
    /// user of a request only, and not on what happened before on a connection.
    ///
    /// The function is called for each tool of a list, and for each call before the layers of the
    /// tool. It must not block. If it panics, the tool is not there. The `cacheScope` of filtered
    /// lists is always `private`, whatever [`tools_caching`](Self::tools_caching) says. The program
    /// itself has all tools: [`ToolRegistry::call`] and [`ToolRegistry::tools`] do not ask.
    ///
    /// A filter decides who may use a tool. It does not keep secret that the tool exists: a call of
    /// it is refused by [`Auth`](crate::http::Auth) for missing scopes, or for its form, in other
    /// words than a call of an unknown tool. Views of the tool stay resources, tasks that it has
    /// begun go on, and `add`, `remove` and `set_tools` tell all clients. Prompts and resources
    /// have no filter: all are listed, and their functions ask the context who it is. A resource
    /// that returns `None` cannot be read.
    ///
    /// [`Context::tools_changed`]: crate::Context::tools_changed
    /// [`ToolRegistry::call`]: crate::ToolRegistry::call
    /// [`ToolRegistry::tools`]: crate::ToolRegistry::tools
    /// [`ToolRegistry::tools_changed`]: crate::ToolRegistry::tools_changed
    pub fn tool_filter(
        mut self,
        shows: impl Fn(&Tool, &Context) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.server.tool_filter = Some(ToolFilter::new(shows));
        self
    }
}
