//! A call as layers see it.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::definition::Definition;
use crate::mcp::context::Context;
use crate::mcp::protocol::ToolAnnotations;

/// A call on its way through the layers: the tool, the arguments and the context. See
/// [`ToolRegistryBuilder::layer`](crate::ToolRegistryBuilder::layer).
#[derive(Clone)]
pub struct ToolCall {
    pub(super) definition: Arc<Definition>,
    pub(super) arguments: Box<RawValue>,
    pub(super) context: Context,
}

impl ToolCall {
    /// The name of the tool.
    pub fn name(&self) -> &str {
        &self.definition.callee.name
    }

    /// The hints about what the tool does.
    pub fn annotations(&self) -> &ToolAnnotations {
        &self.definition.annotations
    }

    /// The tool's `_meta`. That of the request is [`Context::meta`].
    pub fn tool_meta(&self) -> &Map<String, Value> {
        &self.definition.callee.meta
    }

    /// The arguments as the client has sent them: JSON that is not checked yet. Secrets are in it.
    pub fn arguments(&self) -> &RawValue {
        &self.arguments
    }

    /// The arguments, decoded.
    ///
    /// # Errors
    ///
    /// They are not a `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.arguments.get())
    }

    /// Replaces the arguments. The tool checks them like those of a client.
    ///
    /// # Errors
    ///
    /// `arguments` cannot be serialised.
    pub fn set_arguments(&mut self, arguments: impl Serialize) -> serde_json::Result<()> {
        self.arguments = to_raw_value(&arguments)?;
        Ok(())
    }

    /// The context that the tool gets.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Adds a value that the tool and the layers inside of this one find in their context, and as
    /// [`State`](crate::State). It takes the place of the registry's value of this type; a tool
    /// takes one that only layers give as `Option<State<T>>`.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.context.insert(value);
    }
}

impl fmt::Debug for ToolCall {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The arguments may have secrets.
        let mut debug = f.debug_struct("ToolCall");
        debug.field("name", &self.name()).field("context", &self.context).finish_non_exhaustive()
    }
}
