//! Everything that crosses a process, in one binary.
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

mod agent;
mod cli;
mod clients;
mod compiled;
mod conformance;
mod dependencies;
mod dockerfile;
mod examples;
mod faults;
mod fleet;
mod http;
#[path = "../../sdk/src/judge.rs"]
mod judge;
mod lint;
mod names;
mod peers;
mod proc;
mod release;
mod reliability;
mod replicas;
mod stdio;
mod stores;
mod tidy;
mod view;
mod yaml;
