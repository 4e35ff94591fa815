//! Questions of MCP servers to the user: a callback answers them.
//!
//! ```
//! use toolwright::agent::elicitation::ElicitationKind;
//! use toolwright::agent::AgentOptions;
//! use toolwright::json;
//!
//! let options = AgentOptions::builder()
//!     .on_elicitation(|question| async move {
//!         match &question.kind {
//!             ElicitationKind::Form { property_order, .. } if property_order == &["name"] => {
//!                 question.accept(json!({"name": "Ann"}))
//!             }
//!             _ => question.decline(),
//!         }
//!     })
//!     .build()?;
//! # Ok::<(), toolwright::agent::options::OptionsError>(())
//! ```

mod answer;
mod request;

mod callback;

pub use answer::ElicitationAnswer;
pub use request::{ElicitationKind, ElicitationRequest};

pub(crate) use answer::CANCELLED;
pub(crate) use callback::{ElicitationCallback, ask};

#[cfg(test)]
mod tests;
