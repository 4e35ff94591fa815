//! Random and damaged input, and storms of calls; see CONTRIBUTING.md for the long forms.
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

mod damage;
mod dice;
mod lie;
mod rss;

#[allow(dead_code, reason = "only errors are judged here")]
#[path = "../../sdk/src/judge.rs"]
mod judge;

mod agent;
mod framer;
mod messages;
mod session;
mod states;
mod streams;
mod transcripts;

mod gate;

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.replace('_', "").parse().ok()).unwrap_or(default)
}
