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
mod log;
mod thread;
mod sink;
mod stray;
mod signals;
mod wire;
#[cfg(feature = "cli")]
mod failure;
#[cfg(feature = "cli")]
mod screen;
#[cfg(feature = "cli")]
mod table;
#[cfg(feature = "cli")]
mod schema;
#[cfg(feature = "cli")]
mod typed;
#[cfg(feature = "cli")]
mod config;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "cli")]
mod progress;

pub use error::{ServeError, chain};
pub use log::to_stderr as log_to_stderr;
pub use signals::signals;
pub use sink::Sink;
pub use thread::Thread;
pub use utc::date_time;
pub use wire::{Guard, Wire, take};

#[cfg(feature = "cli")]
pub use {
    config::config,
    failure::Failure,
    files::save,
    progress::Progress,
    schema::{Schema, Types},
    screen::{Screen, whole},
    table::{clipped, columns, table, wrapped},
    typed::{Read, object},
};
