//! Setters for the session.

use super::AgentOptionsBuilder;

/// Which conversation is continued.
impl AgentOptionsBuilder {
    /// Continues the latest conversation of the working folder. Cannot be combined with
    /// [`resume`](Self::resume).
    pub fn continue_conversation(mut self, yes: bool) -> Self {
        self.options.session.continue_conversation = yes;
        self
    }

    /// Continues a conversation, by its session id or its title.
    pub fn resume(mut self, session: impl Into<String>) -> Self {
        self.options.session.resume = Some(session.into());
        self
    }

    /// Drops everything after the message with this id, a UUID. Needs [`resume`](Self::resume).
    pub fn resume_session_at(mut self, message: impl Into<String>) -> Self {
        self.options.session.resume_session_at = Some(message.into());
        self
    }

    /// Also drops the turn that began with the message of this id; an empty id means none. Needs
    /// [`resume_session_at`](Self::resume_session_at).
    pub fn resume_drops_turn(mut self, message: impl Into<String>) -> Self {
        self.options.session.resume_drops_turn = Some(message.into());
        self
    }

    /// Continues in a copy of the conversation, which gets an id of its own. Needs
    /// [`resume`](Self::resume) or [`continue_conversation`](Self::continue_conversation).
    pub fn fork_session(mut self, yes: bool) -> Self {
        self.options.session.fork = yes;
        self
    }

    /// The id of a new conversation, a UUID that is not in use. With `resume` or
    /// `continue_conversation` it needs [`fork_session`](Self::fork_session), because a continued
    /// conversation keeps its id.
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.options.session.session_id = Some(id.into());
        self
    }

    /// Whether the conversation is stored on disk, so that it can be resumed. Default: yes.
    pub fn persist_session(mut self, yes: bool) -> Self {
        self.options.session.no_persistence = !yes;
        self
    }

    /// The title of the conversation. Default: the CLI generates one.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.options.session.title = Some(title.into());
        self
    }
}
