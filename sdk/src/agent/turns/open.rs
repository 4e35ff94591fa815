//! A prompt whose turn nobody has read to its end.

use super::route::Asker;

#[derive(Debug)]
pub(super) struct Open {
    pub(super) number: u64,
    pub(super) uuid: String,
    pub(super) asker: Asker,
    pub(super) state: State,
    /// How many prompts were sent when it was interrupted. Its turn is not delivered once there are
    /// more, unless a `Turn` reads it.
    pub(super) interrupted: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It may wait in the CLI's queue.
    Sent,
    /// It is a part of the turn that runs; this many prompts started before it.
    Started(u64),
    /// The CLI is done with it, and the client has not read that yet. What one result ends is one
    /// group.
    Over(u64),
    /// It gets no result of its own, so the client's turn is empty.
    Empty,
}

impl Open {
    /// Whether it was interrupted and others were sent since, `sent` in all.
    pub(super) fn is_void(&self, sent: u64) -> bool {
        self.interrupted.is_some_and(|before| before < sent)
    }

    pub(super) fn is_started(&self) -> bool {
        matches!(self.state, State::Started(_))
    }

    /// Whether the CLI may still say something to it.
    pub(super) fn is_pending(&self) -> bool {
        matches!(self.state, State::Sent | State::Started(_))
    }

    /// Whether a `Turn` reads its answer.
    pub(super) fn is_turn(&self) -> bool {
        self.asker == Asker::Turn
    }

    /// Whether the client reads its answer, and that is still to be read.
    pub(super) fn concerns_client(&self, sent: u64) -> bool {
        !self.is_turn() && self.state != State::Empty && !self.is_void(sent)
    }
}
