//! Requests that are answered outside of the session's turn, though they call nothing.

use crate::mcp::call::{CallResult, Failure, Reply, Subject};
use crate::mcp::protocol::{ErrorObject, Profile};

/// What such a request is about, in words.
pub(super) struct About(pub(super) &'static str);

/// The members of its result.
pub(super) struct Told(pub(super) Vec<u8>);

impl Subject for About {
    fn name(&self) -> &str {
        self.0
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        let why = match failure {
            Failure::Overloaded => "too many calls wait already",
            Failure::ShutDown => "the server is shutting down",
            Failure::SessionEnded => "its session has ended",
            _ => "an internal error stopped it",
        };
        let message = format!("The request about {} failed: {why}.", self.0);
        Err(ErrorObject::internal(message).into())
    }
}

impl Reply for Told {
    fn write(&self, _: &Profile, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}
