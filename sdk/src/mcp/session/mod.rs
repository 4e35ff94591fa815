//! The state machine of one MCP connection.

mod in_flight;
mod questions;
mod subscriptions;
mod state;
mod answer;
mod calls;
mod told;
mod tasks;
#[cfg(feature = "host")]
mod promotion;
mod lifecycle;
mod speech;
mod lists;
mod named;
mod resources;
mod step;
mod completion;
mod requests;
mod receive;

#[cfg(feature = "http")]
pub(crate) use receive::elements_of_batch;
pub use state::Session;
pub use step::{Batch, Step};

#[cfg(test)]
mod tests;
