//! Setters for the session.

use super::AgentOptionsBuilder;

/// Which conversation goes on.
impl AgentOptionsBuilder {
    /// Goes on with the latest conversation of the working folder. Not beside
    /// [`resume`](Self::resume).
    pub fn continue_conversation(mut self, yes: bool) -> Self {
        self.options.session.continue_conversation = yes;
        self
    }

    /// Goes on with a conversation, by its session id, or by its title as the CLI also takes it.
    pub fn resume(mut self, session: impl Into<String>) -> Self {
        self.options.session.resume = Some(session.into());
        self
    }

    /// Forgets what came after the message with that id, a UUID. Needs [`resume`](Self::resume).
    pub fn resume_session_at(mut self, message: impl Into<String>) -> Self {
        self.options.session.resume_session_at = Some(message.into());
        self
    }

    /// Takes back the turn that began with the message of that id as well; empty for none. Needs
    /// [`resume_session_at`](Self::resume_session_at).
    pub fn resume_drops_turn(mut self, message: impl Into<String>) -> Self {
        self.options.session.resume_drops_turn = Some(message.into());
        self
    }

    /// Leaves the old conversation as it is and goes on in a copy with an id of its own. Needs
    /// [`resume`](Self::resume) or [`continue_conversation`](Self::continue_conversation).
    pub fn fork_session(mut self, yes: bool) -> Self {
        self.options.session.fork = yes;
        self
    }

    /// The id of the new conversation, a UUID that is not in use. An old conversation keeps its
    /// own, so beside `resume` or `continue_conversation` it needs
    /// [`fork_session`](Self::fork_session).
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.options.session.session_id = Some(id.into());
        self
    }

    /// Whether the conversation is kept on disk, so that it can be resumed. It is, unless said
    /// otherwise.
    pub fn persist_session(mut self, yes: bool) -> Self {
        self.options.session.no_persistence = !yes;
        self
    }

    /// The conversation's title. The CLI makes one up without it.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.options.session.title = Some(title.into());
        self
    }
}
