//! Layers: functions around the calls of tools.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::definition::Definition;
use super::reply::ToolReply;
use super::tool_call::ToolCall;
use crate::mcp::args::{BadArguments, Input, decode_whole};
use crate::mcp::call::{Begun, Decoder, Guarded, Subject, Work, begin};
use crate::mcp::context::Caller;
use crate::mcp::output::ToolResult;

/// What a layer goes around: the layers inside of it, and the tool. A clone runs it once more.
#[derive(Clone)]
pub struct Next {
    layers: Arc<Layers>,
    /// How many layers are outside of it.
    at: usize,
    tool: Arc<dyn Decoder>,
}

/// The layers around a tool, those of its registry outside of its own.
#[derive(Clone, Default)]
pub(crate) struct Layers {
    of_registry: Vec<Layer>,
    pub(super) of_tool: Vec<Layer>,
}

/// A function around calls.
#[derive(Clone)]
pub(crate) struct Layer {
    call: Arc<dyn Fn(ToolCall, Next) -> Work + Send + Sync>,
    /// The layer has it, so that servers without layers do not compile how their calls begin.
    decoder: fn(Layered) -> Arc<dyn Decoder>,
}

/// A tool behind its layers.
pub(crate) struct Layered {
    pub(super) layers: Arc<Layers>,
    pub(super) definition: Arc<Definition>,
    pub(super) tool: Arc<dyn Decoder>,
}

impl Next {
    /// Runs it. The result is an error result if the arguments are refused, or if what runs panics.
    #[inline]
    pub async fn run(self, call: ToolCall) -> ToolResult {
        let Self { layers, at, tool } = self;
        let begun = match layers.get(at) {
            Some(layer) => {
                let next = Self { layers: layers.clone(), at: at + 1, tool: tool.clone() };
                Ok(Guarded::new((layer.call)(call, next), tool))
            }
            None => {
                let begun = begin(tool, Some(call.arguments.get()), &call.context);
                drop(call);
                begun.map(|(work, _)| work)
            }
        };
        drop(layers);
        ToolReply::result_of(match begun {
            Ok(work) => work.await,
            Err(result) => result,
        })
    }
}

impl Layers {
    /// The same layers of a tool within the layers of a registry; `None` if there are none.
    pub(super) fn within(this: Option<&Arc<Self>>, registry: &[Layer]) -> Option<Arc<Self>> {
        let of_tool = this.map(|layers| layers.of_tool.clone()).unwrap_or_default();
        let layers = Self { of_registry: registry.to_vec(), of_tool };
        layers.get(0).is_some().then(|| Arc::new(layers))
    }

    fn get(&self, at: usize) -> Option<&Layer> {
        self.of_registry.iter().chain(&self.of_tool).nth(at)
    }
}

impl Layer {
    pub(crate) fn new<F, Fut>(layer: F) -> Self
    where
        F: FnOnce(ToolCall, Next) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = ToolResult> + Send + 'static,
    {
        let call = move |call, next| {
            let layer = layer.clone();
            Work(Box::pin(async move { ToolReply::ended(layer(call, next).await) }))
        };
        Self { call: Arc::new(call), decoder: |layered| Arc::new(layered) }
    }
}

impl Layered {
    /// There is at least one layer.
    pub(super) fn decoder(self) -> Arc<dyn Decoder> {
        match self.layers.get(0) {
            Some(layer) => (layer.decoder)(self),
            None => self.tool,
        }
    }
}

impl Decoder for Layered {
    fn subject(&self) -> &dyn Subject {
        &*self.definition
    }

    /// Decodes nothing: the tool does that, if the layers let the call through.
    #[inline]
    fn decode(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let context = caller.context();
        let input = Input::new(self.definition.callee.expected(), arguments, &context);
        let arguments = decode_whole::<Box<RawValue>>(&input)?;
        let call =
            ToolCall { definition: self.definition.clone(), arguments, context: context.clone() };
        let next = Next { layers: self.layers.clone(), at: 0, tool: self.tool.clone() };
        let work = Work(Box::pin(async move { ToolReply::ended(next.run(call).await) }));
        Ok(Begun { work, context: Some(context) })
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("tool", &self.tool.subject()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
