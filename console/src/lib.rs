//! The console of a server program: its descriptors, its log, and what its commands read and print.
//!
//! A part of `toolwright-stdio`, for which it was made; its items may change with every version. It
//! knows nothing of tools, so that it is compiled while `toolwright` is.
// Only docs.rs sets this; its pages say which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test says by panicking that it failed"))]

#[cfg(not(unix))]
compile_error!("toolwright-console needs Unix, as it replaces descriptors 0 and 1");

mod error;
mod utc;
mod sanitized;
pub mod log;
mod thread;
mod sink;
mod stray;
mod signals;
pub mod wire;
#[cfg(feature = "cli")]
mod failure;
#[cfg(feature = "cli")]
pub mod screen;
#[cfg(feature = "cli")]
pub mod table;
#[cfg(feature = "cli")]
mod types;
#[cfg(feature = "cli")]
mod bounds;
#[cfg(feature = "cli")]
mod schema;
#[cfg(feature = "cli")]
pub mod typed;
#[cfg(feature = "cli")]
pub mod config;
#[cfg(feature = "cli")]
pub mod files;
#[cfg(feature = "cli")]
mod progress;

pub use error::{ServeError, chain};
#[cfg(feature = "cli")]
pub use failure::Failure;
#[cfg(feature = "cli")]
pub use progress::Progress;
pub use sanitized::{sanitized, shown};
#[cfg(feature = "cli")]
pub use schema::Schema;
#[cfg(feature = "cli")]
pub use screen::Screen;
pub use signals::{Limit, Signals};
pub use sink::Sink;
pub use thread::Thread;
#[cfg(feature = "cli")]
pub use types::Types;
pub use utc::date_time;
