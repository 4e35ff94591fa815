//! Where a message goes.

/// Who reads what the CLI answers to a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asker {
    /// The client, turn by turn.
    Client,
    /// Nobody asked for an answer: a handle has sent it. A turn that it begins is the client's,
    /// like one that the CLI begins by itself.
    Handle,
    /// A `Turn`.
    Turn,
}

/// What to do with a message that the client reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relevance {
    /// It belongs to the turn at hand.
    Current,
    /// It is the last message of the turn at hand.
    Last,
    /// It belongs to a turn whose messages are not delivered, or that was read to its end.
    Stale,
}

/// What a message is about that the client reads. Only when the client reads it can be told what to
/// do with it: until then its prompt may be interrupted, and others may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    /// This prompt, or none.
    Prompt(Option<u64>),
    /// The end of a turn: of the prompts in this group, or of none.
    End(Option<u64>),
    /// This prompt, which is over and may have got no result.
    Over(u64),
    /// What was read to its end.
    Past,
}

/// Where a message goes. Nobody gets what a `Turn` would have behind its end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    /// To the client.
    pub(crate) client: Option<Topic>,
    /// To the `Turn` of the prompt with this number.
    pub(crate) turn: Option<u64>,
    /// To each of these, and it is their last message.
    pub(crate) ended: Vec<u64>,
}

impl Route {
    pub(super) fn client(topic: Topic) -> Self {
        Self { client: Some(topic), ..Self::default() }
    }

    pub(super) fn turn(number: u64) -> Self {
        Self { turn: Some(number), ..Self::default() }
    }
}
