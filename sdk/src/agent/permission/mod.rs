//! Permissions: the CLI asks whether a tool may be called, and a callback answers.
//!
//! ```
//! use toolwright::agent::permission::{Permission, PermissionPolicy};
//! use toolwright::agent::AgentOptions;
//! use toolwright::{ToolRegistry, tool, tools};
//!
//! /// Read a note.
//! #[tool(read_only)]
//! async fn read(title: &str) -> String {
//!     format!("{title}: buy milk")
//! }
//!
//! let notes = ToolRegistry::builder("notes").tools(tools![read]).build()?;
//! // Calls of tools that only read are allowed, all others are asked for.
//! let policy = PermissionPolicy::from_annotations(&notes).or_ask(
//!     async |request| Permission::deny(format!("{} is not for you", request.tool_name)),
//! );
//! let options = AgentOptions::builder().mcp_server(notes).permission_policy(policy).build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(in crate::agent) mod answer;
mod callback;
mod mode;
mod policy;
mod request;
mod shadow;
mod update;

pub use answer::{Permission, PermissionDecisionClassification};
pub use mode::PermissionMode;
pub use policy::PermissionPolicy;
pub use request::{DecisionReasonType, MatchedAskRule, McpServerProvenance, PermissionRequest};
pub use update::{
    PermissionBehavior, PermissionRuleValue, PermissionUpdate, PermissionUpdateDestination,
};

pub(crate) use callback::{PermissionCallback, ask};
pub(crate) use shadow::{is_too_wide, shadowed_by};

#[cfg(test)]
mod tests;
