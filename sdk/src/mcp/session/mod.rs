//! The state machine of one MCP connection.

mod in_flight;
mod questions;
mod subscriptions;
mod state;
mod answer;
mod calls;
mod lifecycle;
mod speech;
mod tools;
mod receive;

pub use receive::Step;
pub use state::Session;

#[cfg(test)]
mod tests;
