//! Which tools each client has.

use std::sync::Arc;

use crate::mcp::args::BadArguments;
use crate::mcp::call::{Begun, Decoder, Ended, Subject};
use crate::mcp::context::{Caller, Context};
use crate::mcp::protocol::ErrorObject;
use crate::mcp::tool::Tool;
use crate::panics;

/// A function that says which tools are there for whoever makes a request.
#[derive(Clone)]
pub(crate) struct ToolFilter(Arc<Shows>);

type Shows = dyn Fn(&Tool, &Context) -> bool + Send + Sync;

/// The decoder of a tool that is there for some clients only.
struct Filtered {
    filter: ToolFilter,
    tool: Tool,
    decoder: Arc<dyn Decoder>,
}

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

    /// The decoder that refuses the calls of those for whom the tool is not there.
    pub(super) fn filtered(&self, tool: &Tool) -> Arc<dyn Decoder> {
        let (filter, tool, decoder) = (self.clone(), tool.clone(), tool.decoder());
        Arc::new(Filtered { filter, tool, decoder })
    }

    /// The answer to a call of a tool that is not there. It names no others, as they may be hidden.
    pub(crate) fn unknown(name: &str) -> ErrorObject {
        ErrorObject::invalid_params(format!("Unknown tool: {name}"))
    }
}

impl Decoder for Filtered {
    fn subject(&self) -> &dyn Subject {
        self.decoder.subject()
    }

    fn decode(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let context = caller.context();
        if self.filter.shows(&self.tool, &context) {
            return self.decoder.decode(arguments, &context);
        }
        Ok(Begun::ended(Ended::refused(ToolFilter::unknown(self.tool.name()))))
    }
}
