//! Hooks: functions of this program that the CLI calls at certain events of a run.
//!
//! ```
//! use toolwright::agent::{AgentOptions, HookMatcher, HookOutput};
//!
//! let options = AgentOptions::builder()
//!     .hook(HookMatcher::pre_tool_use("Bash"), async |input, _| {
//!         match input.tool_input.to_value()["command"].as_str() {
//!             Some(command) if command.contains("rm -rf") => {
//!                 HookOutput::default().deny("nothing is removed here")
//!             }
//!             _ => HookOutput::default(),
//!         }
//!     })
//!     .build()?;
//! # Ok::<(), toolwright::agent::options::OptionsError>(())
//! ```

mod context;
pub mod event;
mod hooks;
mod input;
mod matcher;
mod output;
mod registration;

pub use context::HookContext;
pub use event::{
    AddsContext, Decides, Elicits, HookEvent, NamesSession, ReplacesPrompt, WatchesPaths,
};
pub use input::*;
pub use matcher::{HookMatcher, OnFailure};
pub use output::HookOutput;

pub(crate) use hooks::Hooks;
pub(crate) use matcher::names_in;
pub(crate) use registration::Hook;

#[cfg(test)]
mod tests;
