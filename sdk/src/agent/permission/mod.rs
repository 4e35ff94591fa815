//! What the agent may do: the CLI asks, a callback answers.

pub(in crate::agent) mod answer;
mod callback;
mod mode;
mod policy;
mod request;
mod shadow;
mod update;

pub use answer::{Permission, PermissionDecisionClassification};
pub use callback::{CanUseTool, PermissionCallback, PermissionFuture};
pub use mode::PermissionMode;
pub use policy::PermissionPolicy;
pub use request::{DecisionReasonType, MatchedAskRule, McpServerProvenance, PermissionRequest};
pub use update::{
    PermissionBehavior, PermissionRuleValue, PermissionUpdate, PermissionUpdateDestination,
};

pub(crate) use callback::ask;
pub(crate) use shadow::shadowed_by;

#[cfg(test)]
mod tests;
