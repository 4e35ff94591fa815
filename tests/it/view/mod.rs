//! Runs that are watched.

mod page;
mod telemetry;
mod terminal;
