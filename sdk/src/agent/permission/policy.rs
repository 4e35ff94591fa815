//! Answers by the annotations of tools.

use std::fmt;
use std::future::{Future, ready};
use std::sync::Arc;

use super::answer::Permission;
use super::callback::PermissionCallback;
use super::request::{McpServerProvenance, PermissionRequest};
use crate::ToolRegistry;
use crate::agent::callback_output::{CallbackOutput, callback};
use crate::mcp::protocol::Revision;

/// Answers permission requests by the annotations of a registry's tools: calls of read-only tools
/// are allowed. All other requests go to another callback, and are denied without one. A registry
/// is known here by its own name.
///
/// ```
/// use toolwright::agent::AgentOptions;
/// use toolwright::agent::permission::{Permission, PermissionPolicy};
/// use toolwright::ToolRegistry;
///
/// let registry = ToolRegistry::builder("calc").build()?;
/// let policy = PermissionPolicy::from_annotations(&registry).or_ask(
///     async |request| Permission::deny(format!("{} changes something", request.tool_name)),
/// );
/// let options = AgentOptions::builder().permission_policy(policy).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PermissionPolicy {
    registry: ToolRegistry,
    ask: Option<PermissionCallback>,
}

impl PermissionPolicy {
    /// Allows the read-only tools that the registry has when the request comes. The annotations are
    /// this program's own and can be trusted; those of other servers are not looked at.
    pub fn from_annotations(registry: &ToolRegistry) -> Self {
        Self { registry: registry.clone(), ask: None }
    }

    /// Asks this callback about tools that are not read-only or not the registry's, as
    /// [`can_use_tool`](crate::agent::AgentOptionsBuilder::can_use_tool) would.
    pub fn or_ask<F, Fut>(mut self, ask: F) -> Self
    where
        F: FnOnce(PermissionRequest) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output: CallbackOutput<Permission>> + Send + 'static,
    {
        self.ask = Some(callback(ask));
        self
    }

    /// The policy as a callback.
    pub(crate) fn into_callback(self) -> PermissionCallback {
        Arc::new(move |request| match (self.allows(&request), &self.ask) {
            (true, _) => Box::pin(ready(Ok(Permission::allow()))),
            (false, Some(ask)) => ask(request),
            (false, None) => {
                let message = format!(
                    "{} is not a read-only tool of {}, and nobody is there to allow it",
                    request.tool_name,
                    self.registry.name()
                );
                Box::pin(ready(Ok(Permission::deny(message))))
            }
        })
    }

    fn allows(&self, request: &PermissionRequest) -> bool {
        // The author of a rule that says to ask wants to be asked.
        if request.matched_ask_rule.is_some() || request.requires_user_interaction {
            return false;
        }
        // `mcp__a__b__c` may be a tool of `a` or of `a__b`, and `a` a server of somebody else; the
        // CLI says which. `sdk` stands for those of this program.
        let is_other = |server: &McpServerProvenance| {
            server.name != self.registry.name() || server.source != "sdk"
        };
        if request.mcp_server.as_ref().is_some_and(is_other) {
            return false;
        }
        let name = request.tool_name.strip_prefix("mcp__");
        let name = name.and_then(|rest| rest.strip_prefix(self.registry.name()));
        let Some(name) = name.and_then(|rest| rest.strip_prefix("__")) else { return false };
        self.registry.get(name).is_some_and(|tool| {
            let info = tool.definition().info(Revision::LATEST_LEGACY.profile());
            info.annotations.is_some_and(|hints| hints.read_only_hint == Some(true))
        })
    }
}

impl fmt::Debug for PermissionPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermissionPolicy")
            .field("registry", &self.registry)
            .field("asks", &self.ask.is_some())
            .finish()
    }
}
