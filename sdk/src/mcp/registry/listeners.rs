//! What a server does with the notifications of clients that are outside of the protocol.

use std::sync::Arc;

use serde_json::Value;

use crate::mcp::context::Context;

/// A function for each method.
#[derive(Clone, Default)]
pub(crate) struct Listeners(Vec<(String, Listener)>);

/// Takes the parameters of a notification, and the context of its session.
pub(crate) type Listener = Arc<dyn Fn(Value, Context) + Send + Sync>;

impl Listeners {
    pub(super) fn add(
        &mut self,
        method: String,
        listener: impl Fn(Value, Context) + Send + Sync + 'static,
    ) {
        self.0.push((method, Arc::new(listener)));
    }

    pub(crate) fn get(&self, method: &str) -> Option<&Listener> {
        self.0.iter().rfind(|(name, _)| name == method).map(|(_, listener)| listener)
    }
}
