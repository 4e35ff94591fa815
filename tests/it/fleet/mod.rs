//! `examples/fleet`: sessions on a queue, with workers that are killed.

mod nats;
mod tools;

mod scene;

mod files;
mod kept;
mod killed;
mod lease;
mod loss;
mod messages;
mod order;
mod patience;
mod queue;
mod retry;
mod start;
mod told;
mod unrecorded;
mod without_tools;

/// The id of a session.
const SESSION: &str = "00000000-0000-4000-8000-000000000000";

/// What NATS says when a worker gives a job back.
const GIVEN_BACK: &str = "$JS.EVENT.ADVISORY.CONSUMER.MSG_NAKED.FLEET.workers";

/// The ids of several, of which the first is [`SESSION`].
fn session(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}
