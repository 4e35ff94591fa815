//! Dialogs that the CLI asks this program to show: a callback answers them.
//!
//! ```
//! use toolwright::agent::dialog::DialogRequest;
//! use toolwright::agent::AgentOptions;
//! use toolwright::json;
//!
//! let options = AgentOptions::builder()
//!     .on_user_dialog(["refusal_fallback_prompt"], |dialog: DialogRequest| async move {
//!         println!("{}: {}", dialog.dialog_kind, dialog.payload);
//!         dialog.complete(json!({"choice": "retry"}))
//!     })
//!     .build()?;
//! # Ok::<(), toolwright::agent::options::OptionsError>(())
//! ```

mod answer;
mod request;

mod callback;

pub use answer::DialogAnswer;
pub use request::DialogRequest;

pub(crate) use answer::CANCELLED;
pub(crate) use callback::{DialogCallback, ask};

#[cfg(test)]
mod tests;
