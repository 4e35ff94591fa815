//! Which tools each client has.

use std::fmt;
use std::sync::Arc;

use crate::mcp::context::{Context, Host};
use crate::mcp::protocol::ErrorObject;
use crate::mcp::tool::{Layer, Next, Tool, ToolCall};
use crate::panics;

/// A function that says which tools are there for whoever makes a request.
#[derive(Clone)]
pub(crate) struct ToolFilter(Arc<Shows>);

type Shows = dyn Fn(&Tool, &Context) -> bool + Send + Sync;

impl ToolFilter {
    pub(super) fn new(shows: impl Fn(&Tool, &Context) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(shows))
    }

    /// Whether the tool is there. It is not if the function panics.
    pub(crate) fn shows(&self, tool: &Tool, context: &Context) -> bool {
        panics::catch(|| (self.0)(tool, context)).unwrap_or_else(|panic| {
            let tool = tool.name();
            panics::trace(|| tracing::error!(panic, tool, "the tool filter panicked"));
            false
        })
    }

    /// The layer that refuses the calls of those for whom the tool is not there. A program calls
    /// all of its own tools.
    pub(super) fn guard(&self, tool: &Tool) -> Layer {
        let (filter, tool) = (self.clone(), tool.clone());
        Layer::new(async move |call: ToolCall, next: Next| {
            let context = call.context();
            match context.host() == Host::Detached || filter.shows(&tool, context) {
                true => next.run(call).await,
                false => Self::unknown(tool.name()).into(),
            }
        })
    }

    /// The answer to a call of a tool that is not there. It names no others, as they may be hidden.
    pub(crate) fn unknown(name: &str) -> ErrorObject {
        ErrorObject::invalid_params(format!("Unknown tool: {name}"))
    }
}

impl fmt::Debug for ToolFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolFilter")
    }
}
