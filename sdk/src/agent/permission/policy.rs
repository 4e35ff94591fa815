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
use crate::mcp::words::full_name;

/// Answers permission requests by the annotations of a registry's tools: calls of read-only tools
/// are allowed. All other requests go to another callback, and are denied without one. A registry
/// is known here by its own name, and must be served by this program itself, as
/// [`mcp_server(registry)`](crate::agent::AgentOptionsBuilder::mcp_server) does: what another
/// program serves by this name may be something else.
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
        Arc::new(move |request| match (self.objection(&request), &self.ask) {
            (None, _) => Box::pin(ready(Ok(Permission::allow()))),
            (Some(_), Some(ask)) => ask(request),
            (Some(objection), None) => {
                let message = format!(
                    "{} is {objection}, and nobody is there to allow it",
                    request.tool_name
                );
                Box::pin(ready(Ok(Permission::deny(message))))
            }
        })
    }

    /// What the tool is, if the call is not allowed.
    fn objection(&self, request: &PermissionRequest) -> Option<String> {
        let registry = self.registry.name();
        // The author of a rule that says to ask wants to be asked.
        if request.matched_ask_rule.is_some() || request.requires_user_interaction {
            return Some("to be allowed by a person".to_owned());
        }
        // `mcp__a__b__c` may be a tool of `a` or of `a__b`, and `a` a server of somebody else; the
        // CLI says which. `sdk` stands for those of this program.
        let is_other =
            |server: &McpServerProvenance| server.name != registry || server.source != "sdk";
        // One that is there and cannot be read may be any.
        let has_one = || request.member("mcp_server").is_some_and(|server| server != "null");
        if request.mcp_server.as_ref().map_or_else(has_one, is_other) {
            return Some(format!("a tool of another server than the {registry} of this program"));
        }
        let mut tools = self.registry.tools();
        tools.retain(|tool| full_name(registry, tool.name()) == request.tool_name);
        // Two tools may have one name there: `a.b` and `a_b`.
        let is_read_only = !tools.is_empty()
            && tools.iter().all(|tool| {
                let info = tool.definition().info(Revision::LATEST_LEGACY.profile());
                info.annotations.is_some_and(|hints| hints.read_only_hint == Some(true))
            });
        (!is_read_only).then(|| format!("not a read-only tool of {registry}"))
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
